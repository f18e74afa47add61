package main

import (
	"net"
	"os"
	"time"
)

// startDatastore answers where etcd's API is served.
func startDatastore(o options, c *children, own addresses, token string) (string, error) {
	if isEtcd(o) {
		return startEtcd(o, c, own, token)
	}
	return startKine(o, c)
}

// startKine serves etcd's API from SQLite in the data folder, or from the database that was named; the answer is where.
func startKine(o options, c *children) (string, error) {
	socket := o.path("kine.sock")
	if err := os.MkdirAll(o.path("db"), 0o700); err != nil {
		return "", err
	}
	_ = os.Remove(socket) // of a start that was killed
	endpoint := o.get("datastore-endpoint", "")
	if endpoint == "" {
		endpoint = "sqlite://" + o.path("db", "state.db") + "?_journal=WAL&cache=shared&_busy_timeout=30000&_txlock=immediate"
	}
	// not as an argument: it may hold a password
	os.Setenv("KINE_ENDPOINT", endpoint)
	if err := c.start("kine", "--listen-address=unix://"+socket, "--metrics-bind-address=0"); err != nil {
		return "", err
	}
	return "unix://" + socket, c.until("kine", func() bool { return accepts("unix", socket) })
}

func accepts(network, address string) bool {
	connection, err := net.DialTimeout(network, address, time.Second)
	if err != nil {
		return false
	}
	connection.Close()
	return true
}
