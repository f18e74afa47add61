package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// What a data folder was made with. k3s keeps it in the datastore, encrypted with the token.
type bootstrap struct {
	Token       string            `json:"token"`
	Authorities map[string]string `json:"authorities"`
}

// The files that k3s takes from its users; each is there before the first start.
var authorityFiles = []string{
	"server-ca.crt", "server-ca.key", "client-ca.crt", "client-ca.key", "request-header-ca.crt", "request-header-ca.key",
	"etcd/server-ca.crt", "etcd/server-ca.key", "etcd/peer-ca.crt", "etcd/peer-ca.key", "service.key",
}

// checkBootstrap refuses another token and other authorities than those that the data was made with.
func checkBootstrap(o options, token string) error {
	now := bootstrap{Token: digest([]byte(token)), Authorities: map[string]string{}}
	for _, name := range authorityFiles {
		content, err := os.ReadFile(o.path("tls", name))
		if err != nil {
			return fmt.Errorf("the stand-in makes no authorities of its own: %v", err)
		}
		now.Authorities[name] = digest(content)
	}
	file := o.path("db", "bootstrap.json")
	stored, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		content, _ := json.Marshal(now)
		return writeFile(file, content, 0o600)
	}
	var before bootstrap
	if err == nil {
		err = json.Unmarshal(stored, &before)
	}
	if err != nil {
		return err
	}
	if before.Token != now.Token {
		return fmt.Errorf("preparing server: bootstrap data already found and encrypted with different token")
	}
	for _, name := range authorityFiles {
		if before.Authorities[name] != now.Authorities[name] {
			return fmt.Errorf("preparing server: %s newer than datastore and could cause a cluster outage. "+
				"Remove the file(s) from disk and restart to be recreated from datastore.", o.path("tls", name))
		}
	}
	return nil
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// writeFile makes the folder too; the file is complete or not there.
func writeFile(file string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", content, mode); err != nil {
		return err
	}
	if err := os.Chmod(file+".new", mode); err != nil { // whatever the umask is
		return err
	}
	return os.Rename(file+".new", file)
}
