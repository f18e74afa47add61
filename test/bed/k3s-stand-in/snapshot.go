package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// saveSnapshot is `k3s etcd-snapshot save`: it asks the member that runs here.
func saveSnapshot(args []string) error {
	if len(args) == 0 || args[0] != "save" {
		return fmt.Errorf("the stand-in has no command etcd-snapshot %s", strings.Join(args, " "))
	}
	named := map[string]string{"--data-dir": "/var/lib/rancher/k3s", "--name": "on-demand"}
	for _, each := range args[1:] {
		name, value, _ := strings.Cut(each, "=")
		if _, found := named[name]; !found || value == "" {
			return fmt.Errorf("the stand-in does not do what %s says", each)
		}
		named[name] = value
	}
	o := options{"data-dir": {named["--data-dir"]}}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	api, err := ownEtcd(o)
	if err != nil {
		return err
	}
	file := o.path("db", "snapshots", fmt.Sprintf("%s-%s-%d", named["--name"], host, time.Now().Unix()))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := api.save(file); err != nil {
		return err
	}
	say("info", "Snapshot %s saved.", filepath.Base(file))
	return nil
}
