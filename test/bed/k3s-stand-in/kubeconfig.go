package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
)

// writeKubeconfig writes the admin's, for clients on this machine, where and as readable as the arguments say.
func writeKubeconfig(o options) error {
	mode, err := strconv.ParseUint(o.get("write-kubeconfig-mode", "600"), 8, 32)
	if err != nil {
		return fmt.Errorf("invalid write-kubeconfig-mode: %w", err)
	}
	return writeClient(o, o.get("write-kubeconfig", "/etc/rancher/k3s/k3s.yaml"), "client-admin", os.FileMode(mode))
}

// writeClient writes the kubeconfig of whom a certificate names.
func writeClient(o options, file, client string, mode os.FileMode) error {
	data := map[string]string{}
	for _, name := range []string{"server-ca.crt", client + ".crt", client + ".key"} {
		content, err := os.ReadFile(o.path("tls", name))
		if err != nil {
			return err
		}
		data[name] = base64.StdEncoding.EncodeToString(content)
	}
	config := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: default
  cluster:
    certificate-authority-data: %s
    server: https://127.0.0.1:%s
contexts:
- name: default
  context: {cluster: default, user: default}
current-context: default
users:
- name: default
  user:
    client-certificate-data: %s
    client-key-data: %s
`, data["server-ca.crt"], o.port(), data[client+".crt"], data[client+".key"])
	return writeFile(file, []byte(config), mode)
}
