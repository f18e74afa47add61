package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

const (
	userHeader  = "X-Remote-User"
	groupHeader = "X-Remote-Group"
)

// front is what k3s serves on its one port: a few words of its own, and the API server behind it.
type front struct {
	authority []byte
	servers   http.Handler // what servers of one cluster ask each other
	ready     atomic.Bool
	named     http.Handler // for whom a certificate names
	others    http.Handler // the API server finds out itself
}

func newFront(o options, token string) (*front, *tls.Config, error) {
	serverCA, err := os.ReadFile(o.path("tls", "server-ca.crt"))
	if err != nil {
		return nil, nil, err
	}
	clientCA, err := os.ReadFile(o.path("tls", "client-ca.crt"))
	if err != nil {
		return nil, nil, err
	}
	serving, err := tls.LoadX509KeyPair(o.path("tls", "serving-kube-apiserver.crt"), o.path("tls", "serving-kube-apiserver.key"))
	if err != nil {
		return nil, nil, err
	}
	proxying, err := tls.LoadX509KeyPair(o.path("tls", "client-auth-proxy.crt"), o.path("tls", "client-auth-proxy.key"))
	if err != nil {
		return nil, nil, err
	}
	server := &tls.Config{
		Certificates: []tls.Certificate{serving},
		ClientCAs:    pool(clientCA),
		ClientAuth:   tls.VerifyClientCertIfGiven,
		MinVersion:   tls.VersionTLS12,
	}
	behind := &tls.Config{RootCAs: pool(serverCA)}
	asProxy := behind.Clone()
	asProxy.Certificates = []tls.Certificate{proxying}
	return &front{authority: serverCA, servers: forServers(o, token), named: forward(asProxy), others: forward(behind)}, server, nil
}

func pool(pem []byte) *x509.CertPool {
	all := x509.NewCertPool()
	all.AppendCertsFromPEM(pem)
	return all
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Remote-") { // ours to say, not a client's
			r.Header.Del(name)
		}
	}
	switch {
	case r.URL.Path == "/ping":
		_, _ = io.WriteString(w, "pong")
	case r.URL.Path == "/cacerts":
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write(f.authority)
	case r.URL.Path == bootstrapPath || r.URL.Path == membersPath:
		f.servers.ServeHTTP(w, r)
	case !f.ready.Load():
		http.Error(w, "apiserver not ready", http.StatusServiceUnavailable)
	case len(r.TLS.VerifiedChains) > 0:
		subject := r.TLS.PeerCertificates[0].Subject
		r.Header.Set(userHeader, subject.CommonName)
		for _, group := range subject.Organization {
			r.Header.Add(groupHeader, group)
		}
		f.named.ServeHTTP(w, r)
	default:
		f.others.ServeHTTP(w, r)
	}
}

// forward hands requests on; watches and upgraded connections stream.
func forward(config *tls.Config) http.Handler {
	target := &url.URL{Scheme: "https", Host: "127.0.0.1:" + apiServerPort}
	return &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host
			if p.In.URL.Path == "/version" {
				p.Out.Header.Del("Accept-Encoding") // its answer is read here
			}
		},
		Transport:      &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: false, MaxIdleConnsPerHost: 100},
		FlushInterval:  -1,
		ModifyResponse: sayVersion,
	}
}

// sayVersion puts the image's version in the place of the API server's.
func sayVersion(response *http.Response) error {
	if response.Request.URL.Path != "/version" || response.StatusCode != http.StatusOK {
		return nil
	}
	defer response.Body.Close()
	said := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&said); err != nil {
		return err
	}
	said["gitVersion"] = k3sVersion()
	parts := strings.SplitN(strings.TrimPrefix(k3sVersion(), "v"), ".", 3)
	if len(parts) == 3 {
		said["major"], said["minor"] = parts[0], parts[1]
	}
	body, err := json.Marshal(said)
	response.Body = io.NopCloser(bytes.NewReader(body))
	response.ContentLength = int64(len(body))
	response.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return err
}
