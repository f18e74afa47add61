package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"slices"
	"time"
)

const (
	leafLife = 365 * 24 * time.Hour
	// k3s makes a certificate anew at a start when less than this is left of it
	renewal = 120 * 24 * time.Hour
)

// leaf is a certificate that k3s makes beside its authorities, under the same name.
type leaf struct {
	file      string // without .crt and .key
	authority string
	name      string
	groups    []string
	names     []string // of a server: DNS names and addresses
	client    bool
}

func leaves(serverNames []string) []leaf {
	return []leaf{
		{file: "serving-kube-apiserver", authority: "server-ca", name: "kube-apiserver", names: serverNames},
		{file: "client-admin", authority: "client-ca", name: "system:admin", groups: []string{"system:masters"}, client: true},
		{file: "client-controller", authority: "client-ca", name: "system:kube-controller-manager", client: true},
		{file: "client-auth-proxy", authority: "request-header-ca", name: "system:auth-proxy", client: true},
		{file: "etcd/server-client", authority: "etcd/server-ca", name: "etcd-server", names: serverNames, client: true},
		{file: "etcd/client", authority: "etcd/server-ca", name: "etcd-client", client: true},
		{file: "etcd/peer-server-client", authority: "etcd/peer-ca", name: "etcd-peer", names: serverNames, client: true},
	}
}

// ensureLeaves makes what is not there, what nears its end and what does not fit any more; keys stay.
func ensureLeaves(o options, serverNames []string) error {
	for _, each := range leaves(serverNames) {
		if err := each.ensure(o); err != nil {
			return fmt.Errorf("certificate %s: %w", each.file, err)
		}
	}
	return nil
}

func (l leaf) ensure(o options) error {
	authority, err := tls.LoadX509KeyPair(o.path("tls", l.authority+".crt"), o.path("tls", l.authority+".key"))
	if err != nil {
		return err
	}
	if l.fits(o, authority.Leaf) {
		return nil
	}
	key, err := l.key(o)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 63))
	if err != nil {
		return err
	}
	wanted := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: l.name, Organization: l.groups},
		NotBefore:    authority.Leaf.NotBefore,
		NotAfter:     time.Now().Add(leafLife).UTC(),
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
	if l.client {
		wanted.ExtKeyUsage = append(wanted.ExtKeyUsage, x509.ExtKeyUsageClientAuth)
	}
	if l.names != nil {
		wanted.ExtKeyUsage = append(wanted.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
	}
	wanted.DNSNames, wanted.IPAddresses = split(l.names)
	der, err := x509.CreateCertificate(rand.Reader, wanted, authority.Leaf, key.Public(), authority.PrivateKey)
	if err != nil {
		return err
	}
	chain := bytes.NewBuffer(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	for _, above := range authority.Certificate {
		chain.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: above}))
	}
	say("info", "certificate %s signed by %s: notAfter=%s", l.file, authority.Leaf.Subject, wanted.NotAfter.Format(time.RFC3339))
	return writeFile(o.path("tls", l.file+".crt"), chain.Bytes(), 0o644)
}

func (l leaf) fits(o options, authority *x509.Certificate) bool {
	pair, err := tls.LoadX509KeyPair(o.path("tls", l.file+".crt"), o.path("tls", l.file+".key"))
	if err != nil || pair.Leaf.CheckSignatureFrom(authority) != nil || time.Until(pair.Leaf.NotAfter) < renewal {
		return false
	}
	names, addresses := split(l.names)
	return slices.Equal(names, pair.Leaf.DNSNames) && slices.EqualFunc(addresses, pair.Leaf.IPAddresses, net.IP.Equal)
}

// key is the one that is there already, or a new one.
func (l leaf) key(o options) (crypto.Signer, error) {
	file := o.path("tls", l.file+".key")
	if content, err := os.ReadFile(file); err == nil {
		if block, _ := pem.Decode(content); block != nil {
			return x509.ParseECPrivateKey(block.Bytes)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, writeFile(file, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}

func split(all []string) (names []string, addresses []net.IP) {
	for _, each := range all {
		if address := net.ParseIP(each); address != nil {
			addresses = append(addresses, address)
		} else {
			names = append(names, each)
		}
	}
	return names, addresses
}
