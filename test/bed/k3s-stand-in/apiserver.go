package main

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
)

// Where kube-apiserver listens, on loopback, as in k3s.
const apiServerPort = "6444"

func startAPIServer(o options, c *children, datastore string, own addresses) error {
	args := []string{
		"--etcd-servers=" + datastore,
		"--bind-address=127.0.0.1",
		"--secure-port=" + apiServerPort,
		"--advertise-address=" + own.advertised,
		"--endpoint-reconciler-type=none", // it would publish the port of loopback
		"--anonymous-auth=false",
		"--authorization-mode=Node,RBAC",
		"--allow-privileged=true",
		"--profiling=false",
		"--tls-cert-file=" + o.path("tls", "serving-kube-apiserver.crt"),
		"--tls-private-key-file=" + o.path("tls", "serving-kube-apiserver.key"),
		"--client-ca-file=" + o.path("tls", "client-ca.crt"),
		"--requestheader-client-ca-file=" + o.path("tls", "request-header-ca.crt"),
		"--requestheader-allowed-names=system:auth-proxy",
		"--requestheader-username-headers=" + userHeader,
		"--requestheader-group-headers=" + groupHeader,
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + o.path("tls", "client-auth-proxy.crt"),
		"--proxy-client-key-file=" + o.path("tls", "client-auth-proxy.key"),
		"--service-account-issuer=https://kubernetes.default.svc." + o.get("cluster-domain", "cluster.local"),
		"--service-account-key-file=" + o.path("tls", "service.key"),
		"--service-account-signing-key-file=" + o.path("tls", "service.key"),
		"--service-cluster-ip-range=" + o.get("service-cidr", defaultServiceCIDR),
		"--service-node-port-range=" + o.get("service-node-port-range", "30000-32767"),
	}
	if o.has("secrets-encryption") {
		file, err := ensureEncryption(o)
		if err != nil {
			return err
		}
		args = append(args, "--encryption-provider-config="+file)
	}
	if isEtcd(o) {
		args = append(args,
			"--etcd-cafile="+o.path("tls", "etcd", "server-ca.crt"),
			"--etcd-certfile="+o.path("tls", "etcd", "client.crt"),
			"--etcd-keyfile="+o.path("tls", "etcd", "client.key"))
	}
	return c.start("kube-apiserver", withExtra(args, o["kube-apiserver-arg"])...)
}

func encryptionFile(o options) string { return o.path("cred", "encryption-config.json") }

// ensureEncryption keeps the key that is there: what was written with it could not be read any more.
func ensureEncryption(o options) (string, error) {
	file := encryptionFile(o)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", err
	}
	config := fmt.Sprintf(`{"kind":"EncryptionConfiguration","apiVersion":"apiserver.config.k8s.io/v1","resources":[{"resources":["secrets"],`+
		`"providers":[{"aescbc":{"keys":[{"name":"aescbckey","secret":%q}]}},{"identity":{}}]}]}`, base64.StdEncoding.EncodeToString(key))
	return file, writeFile(file, []byte(config), 0o600)
}
