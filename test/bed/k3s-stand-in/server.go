package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// serve runs until a signal asks for the end, or until one of the processes ends by itself.
func serve(o options) error {
	say("info", "Starting k3s %s (stand-in)", k3sVersion())
	token, err := o.token()
	if err != nil {
		return err
	}
	if err := checkBootstrap(o, token); err != nil {
		return err
	}
	if err := writeFile(o.path("token"), []byte(token+"\n"), 0o600); err != nil {
		return err
	}
	if o.has("cluster-reset") {
		return resetCluster(o, token)
	}
	if err := os.Remove(o.path("db", "reset-flag")); err != nil && !os.IsNotExist(err) {
		return err
	}
	own, err := ownAddresses(o)
	if err != nil {
		return err
	}
	if err := ensureLeaves(o, own.names); err != nil {
		return err
	}
	if err := writeKubeconfig(o); err != nil {
		return err
	}
	front, config, err := newFront(o, token)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: front, TLSConfig: config}
	all := &children{ended: make(chan error, 4)}
	defer all.stop()
	stop := stopSignals()
	failed := make(chan error, 1)
	go func() { failed <- run(o, all, own, front, server, token) }()
	select {
	case err := <-failed:
		if err != nil {
			return err
		}
	case got := <-stop:
		return end(got, server)
	case err := <-all.ended:
		return err
	}
	select {
	case got := <-stop:
		return end(got, server)
	case err := <-all.ended:
		return err
	}
}

func end(why os.Signal, server *http.Server) error {
	say("info", "Ending: %s", why)
	return server.Close()
}

// run starts the processes. The port opens as soon as there is a datastore, and leads to the API server when that answers.
func run(o options, all *children, own addresses, front *front, server *http.Server, token string) error {
	datastore, err := startDatastore(o, all, own, token)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(o.get("bind-address", ""), o.port()))
	if err != nil {
		return err
	}
	go func() { _ = server.ServeTLS(listener, "", "") }()
	if err := startAPIServer(o, all, datastore, own); err != nil {
		return err
	}
	client, err := clientOf(o, "client-admin", "server-ca")
	if err != nil {
		return err
	}
	err = all.until("kube-apiserver", func() bool {
		response, err := client.Get("https://127.0.0.1:" + apiServerPort + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	if err != nil {
		return err
	}
	front.ready.Store(true)
	say("info", "Kube API server is now running")
	return startControllers(o, all, isEtcd(o) || o.get("datastore-endpoint", "") != "")
}

// clientOf asks as whom a certificate names, and trusts an authority.
func clientOf(o options, name, authority string) (*http.Client, error) {
	pair, err := tls.LoadX509KeyPair(o.path("tls", name+".crt"), o.path("tls", name+".key"))
	if err != nil {
		return nil, err
	}
	trusted, err := os.ReadFile(o.path("tls", authority+".crt"))
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool(trusted)}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config}, Timeout: 5 * time.Second}, nil
}

// until asks again and again; four minutes are for slow machines on which several servers start at once.
func (c *children) until(name string, answers func() bool) error {
	context, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	for {
		if answers() {
			return nil
		}
		select {
		case <-context.Done():
			return fmt.Errorf("%s does not answer", name)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
