package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// What a data folder was made with. With etcd it is in the datastore too, for further servers and for whoever restores a snapshot.
type bootstrap struct {
	Token       string            `json:"token"`
	Authorities map[string]string `json:"authorities"`
	// the file by which Secrets are encrypted, which all servers share
	Encryption []byte `json:"encryption,omitempty"`
}

// The files that k3s takes from its users; each is there before the first start.
var authorityFiles = []string{
	"server-ca.crt", "server-ca.key", "client-ca.crt", "client-ca.key", "request-header-ca.crt", "request-header-ca.key",
	"etcd/server-ca.crt", "etcd/server-ca.key", "etcd/peer-ca.crt", "etcd/peer-ca.key", "service.key",
}

func ownBootstrap(o options, token string) (bootstrap, error) {
	now := bootstrap{Token: digest([]byte(token)), Authorities: map[string]string{}}
	for _, name := range authorityFiles {
		content, err := os.ReadFile(o.path("tls", name))
		if err != nil {
			return now, fmt.Errorf("the stand-in makes no authorities of its own: %v", err)
		}
		now.Authorities[name] = digest(content)
	}
	return now, nil
}

// checkBootstrap refuses another token and other authorities than those that the data was made with.
func checkBootstrap(o options, token string) error {
	now, err := ownBootstrap(o, token)
	if err != nil {
		return err
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
	return now.fits(o, before)
}

func (now bootstrap) fits(o options, before bootstrap) error {
	if before.Token != now.Token {
		return errOtherToken
	}
	for _, name := range authorityFiles {
		if before.Authorities[name] != now.Authorities[name] {
			return fmt.Errorf("preparing server: %s newer than datastore and could cause a cluster outage. "+
				"Remove the file(s) from disk and restart to be recreated from datastore.", o.path("tls", name))
		}
	}
	return nil
}

var errOtherToken = fmt.Errorf("preparing server: bootstrap data already found and encrypted with different token")

// takeBootstrap makes this server one of those that share this.
func takeBootstrap(o options, shared bootstrap) error {
	token, err := o.token()
	if err != nil {
		return err
	}
	now, err := ownBootstrap(o, token)
	if err != nil {
		return err
	}
	if err := now.fits(o, shared); err != nil || shared.Encryption == nil {
		return err
	}
	return writeFile(encryptionFile(o), shared.Encryption, 0o600)
}

// shareBootstrap takes what the datastore holds, or puts there what this server has, encrypted with the token, as k3s does.
func shareBootstrap(o options, api etcdAPI, token string) error {
	const from, to = "/bootstrap/", "/bootstrap0"
	var found struct {
		Values []struct{ Value []byte } `json:"kvs"`
	}
	type keys struct {
		Key   []byte `json:"key"`
		End   []byte `json:"range_end,omitempty"`
		Value []byte `json:"value,omitempty"`
	}
	if err := api.call("kv/range", keys{Key: []byte(from), End: []byte(to)}, &found); err != nil {
		return err
	}
	sealed, err := sealFor(token)
	if err != nil {
		return err
	}
	if len(found.Values) > 0 {
		value := found.Values[0].Value
		if len(value) < sealed.NonceSize() {
			return errOtherToken
		}
		text, err := sealed.Open(nil, value[:sealed.NonceSize()], value[sealed.NonceSize():], nil)
		if err != nil {
			return errOtherToken
		}
		var shared bootstrap
		if err := json.Unmarshal(text, &shared); err != nil {
			return err
		}
		return takeBootstrap(o, shared)
	}
	mine, err := bootstrapToShare(o, token)
	if err != nil {
		return err
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return err
	}
	nonce := make([]byte, sealed.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	return api.call("kv/put", keys{Key: []byte(from + digest([]byte(token))[:12]), Value: sealed.Seal(nonce, nonce, text, nil)}, nil)
}

func bootstrapToShare(o options, token string) (bootstrap, error) {
	mine, err := ownBootstrap(o, token)
	if err != nil || !o.has("secrets-encryption") {
		return mine, err
	}
	file, err := ensureEncryption(o)
	if err != nil {
		return mine, err
	}
	mine.Encryption, err = os.ReadFile(file)
	return mine, err
}

func sealFor(token string) (cipher.AEAD, error) {
	key := sha256.Sum256([]byte(token))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
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
