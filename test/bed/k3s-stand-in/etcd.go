package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

const etcdClientPort, etcdPeerPort = "2379", "2380"

// isEtcd says whether the data is, or shall be, an etcd member's.
func isEtcd(o options) bool {
	_, err := os.Stat(o.path("db", "etcd"))
	return o.has("cluster-init") || o.get("server", "") != "" || err == nil
}

// isInitialized says whether a member has run on this data.
func isInitialized(o options) bool {
	_, err := os.Stat(o.path("db", "etcd", "member", "wal"))
	return err == nil
}

// member is this server as etcd knows it: k3s takes it for the same one only with the same name and the same address.
type member struct {
	name string // of the server, with a part of its own that its data keeps
	host string
	peer string
}

func ownMember(o options, own addresses, anew bool) (member, error) {
	host, err := os.Hostname()
	if err != nil {
		return member{}, err
	}
	m := member{host: host, peer: "https://" + own.node + ":" + etcdPeerPort}
	file := o.path("db", "etcd", "name")
	if content, err := os.ReadFile(file); err == nil && !anew {
		m.name = string(content)
		return m, nil
	}
	random := make([]byte, 4)
	if _, err := rand.Read(random); err != nil {
		return member{}, err
	}
	m.name = host + "-" + hex.EncodeToString(random)
	return m, writeFile(file, []byte(m.name), 0o600)
}

// startEtcd begins a cluster, joins one, or goes on as the member that the data is of.
func startEtcd(o options, c *children, own addresses, token string) (string, error) {
	self, err := ownMember(o, own, false)
	if err != nil {
		return "", err
	}
	cluster, state := self.name+"="+self.peer, "new"
	if server := o.get("server", ""); server != "" && !isInitialized(o) {
		state = "existing"
		if cluster, err = join(o, server, token, self); err != nil {
			return "", fmt.Errorf("ETCD join failed: %w", err)
		}
	}
	api, err := runEtcd(o, c, own, self, "--initial-cluster="+cluster, "--initial-cluster-state="+state)
	if err != nil {
		return "", err
	}
	go promoteLearners(api)
	return api.url, shareBootstrap(o, api, token)
}

// runEtcd waits until the member votes: one that still learns answers no question of an API server.
func runEtcd(o options, c *children, own addresses, self member, more ...string) (etcdAPI, error) {
	args := append([]string{
		"--name=" + self.name,
		"--data-dir=" + o.path("db", "etcd"),
		"--listen-client-urls=https://127.0.0.1:" + etcdClientPort,
		"--listen-peer-urls=https://127.0.0.1:" + etcdPeerPort,
		"--advertise-client-urls=https://" + own.node + ":" + etcdClientPort,
		"--initial-advertise-peer-urls=" + self.peer,
		"--heartbeat-interval=500",
		"--election-timeout=5000",
		"--client-cert-auth=true",
		"--trusted-ca-file=" + o.path("tls", "etcd", "server-ca.crt"),
		"--cert-file=" + o.path("tls", "etcd", "server-client.crt"),
		"--key-file=" + o.path("tls", "etcd", "server-client.key"),
		"--peer-client-cert-auth=true",
		"--peer-trusted-ca-file=" + o.path("tls", "etcd", "peer-ca.crt"),
		"--peer-cert-file=" + o.path("tls", "etcd", "peer-server-client.crt"),
		"--peer-key-file=" + o.path("tls", "etcd", "peer-server-client.key"),
		"--log-level=warn",
	}, more...)
	if err := c.start("etcd", withExtra(args, o["etcd-arg"])...); err != nil {
		return etcdAPI{}, err
	}
	api, err := ownEtcd(o)
	if err != nil {
		return etcdAPI{}, err
	}
	return api, c.until("etcd", api.votes)
}

// resetCluster makes this server the only member, of its own data or of a snapshot's, as `k3s server --cluster-reset` does.
func resetCluster(o options, token string) error {
	flag := o.path("db", "reset-flag")
	if _, err := os.Stat(flag); err == nil {
		return fmt.Errorf("cluster-reset was successfully performed, please remove the cluster-reset flag and start k3s normally, "+
			"if you need to perform another cluster reset, you must first manually delete the file at %s", flag)
	}
	own, err := ownAddresses(o)
	if err != nil {
		return err
	}
	if err := ensureLeaves(o, own.names); err != nil {
		return err
	}
	data := o.path("db", "etcd")
	snapshot := o.get("cluster-reset-restore-path", "")
	if snapshot != "" {
		if found, err := os.Stat(snapshot); err != nil || found.IsDir() {
			return fmt.Errorf("etcd: snapshot path does not exist: %s", snapshot)
		}
		if err := os.Rename(data, fmt.Sprintf("%s-old-%d", data, time.Now().Unix())); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	self, err := ownMember(o, own, true)
	if err != nil {
		return err
	}
	if snapshot != "" {
		if err := restore(snapshot, data, self); err != nil {
			return err
		}
	}
	all := &children{ended: make(chan error, 1)}
	defer all.stop()
	api, err := runEtcd(o, all, own, self, "--force-new-cluster=true", "--initial-cluster="+self.name+"="+self.peer)
	if err != nil {
		return err
	}
	members, err := api.members()
	if err != nil || len(members) != 1 {
		return fmt.Errorf("etcd has %d members after its reset: %v", len(members), err)
	}
	if err := api.call("cluster/member/update", change{ID: members[0].ID, PeerURLs: []string{self.peer}}, nil); err != nil {
		return err
	}
	if err := shareBootstrap(o, api, token); err != nil {
		return err
	}
	say("info", "Managed etcd cluster membership has been reset, restart without --cluster-reset flag now. "+
		"Backup and delete ${datadir}/server/db on each peer etcd server and rejoin the nodes")
	return writeFile(flag, nil, 0o600)
}

// restore makes the data of a member of a snapshot; the name is kept beside it.
func restore(snapshot, data string, self member) error {
	made := data + ".restored"
	command := exec.Command("/bin/etcdutl", "snapshot", "restore", snapshot, "--data-dir="+made, "--name="+self.name,
		"--initial-cluster="+self.name+"="+self.peer, "--initial-advertise-peer-urls="+self.peer)
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("etcdutl: %w: %s", err, strings.TrimSpace(string(said)))
	}
	if err := os.Rename(made+"/member", data+"/member"); err != nil {
		return err
	}
	return os.RemoveAll(made)
}
