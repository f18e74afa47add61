package main

import (
	"net/http"
	"os"
)

const etcdClientPort, etcdPeerPort = "2379", "2380"

// isEtcd says whether the data is, or shall be, an etcd member's.
func isEtcd(o options) bool {
	_, err := os.Stat(o.path("db", "etcd"))
	return o.has("cluster-init") || err == nil
}

// startEtcd runs an etcd of one member. It joins no other: --server is refused.
func startEtcd(o options, c *children, own addresses) (string, error) {
	hostname, err := os.Hostname()
	if err != nil {
		return "", err
	}
	peer := "https://" + own.node + ":" + etcdPeerPort
	args := []string{
		"--name=" + hostname,
		"--data-dir=" + o.path("db", "etcd"),
		"--listen-client-urls=https://127.0.0.1:" + etcdClientPort,
		"--listen-peer-urls=https://127.0.0.1:" + etcdPeerPort,
		"--advertise-client-urls=https://" + own.node + ":" + etcdClientPort,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=" + hostname + "=" + peer,
		"--client-cert-auth=true",
		"--trusted-ca-file=" + o.path("tls", "etcd", "server-ca.crt"),
		"--cert-file=" + o.path("tls", "etcd", "server-client.crt"),
		"--key-file=" + o.path("tls", "etcd", "server-client.key"),
		"--peer-client-cert-auth=true",
		"--peer-trusted-ca-file=" + o.path("tls", "etcd", "peer-ca.crt"),
		"--peer-cert-file=" + o.path("tls", "etcd", "peer-server-client.crt"),
		"--peer-key-file=" + o.path("tls", "etcd", "peer-server-client.key"),
		"--log-level=warn",
	}
	if err := c.start("etcd", withExtra(args, o["etcd-arg"])...); err != nil {
		return "", err
	}
	here := "https://127.0.0.1:" + etcdClientPort
	client, err := clientOf(o, "etcd/client", "etcd/server-ca")
	if err != nil {
		return "", err
	}
	return here, c.until("etcd", func() bool {
		response, err := client.Get(here + "/health")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}
