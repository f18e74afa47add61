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
	data := map[string]string{}
	for _, name := range []string{"server-ca.crt", "client-admin.crt", "client-admin.key"} {
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
`, data["server-ca.crt"], o.port(), data["client-admin.crt"], data["client-admin.key"])
	return writeFile(o.get("write-kubeconfig", "/etc/rancher/k3s/k3s.yaml"), []byte(config), os.FileMode(mode))
}
