package main

import "strings"

type effect int

const (
	refused effect = iota // k3s has it, the stand-in does not do what it says
	nothing               // it turns off, or tunes, what the stand-in does not have
	taken
)

type flag struct {
	value  bool // takes a value; a switch otherwise
	many   bool // may be given several times
	effect effect
}

// The flags of `k3s server`, with what the stand-in makes of them. What is not here, k3s does not have.
var flags = merge(
	table(flag{value: true, effect: taken}, "data-dir bind-address https-listen-port advertise-address service-cidr cluster-domain "+
		"service-node-port-range write-kubeconfig write-kubeconfig-mode token token-file datastore-endpoint node-ip config "+
		"server cluster-reset-restore-path"),
	table(flag{value: true, many: true, effect: taken}, "tls-san kube-apiserver-arg kube-controller-manager-arg etcd-arg"),
	table(flag{effect: taken}, "disable-agent cluster-init cluster-reset secrets-encryption"),
	table(flag{effect: nothing}, "debug alsologtostderr disable-scheduler disable-cloud-controller disable-kube-proxy disable-network-policy "+
		"disable-helm-controller etcd-disable-snapshots etcd-expose-metrics etcd-snapshot-compress prefer-bundled-bin protect-kernel-defaults "+
		"flannel-ipv6-masq flannel-external-ip selinux tls-san-security"),
	table(flag{value: true, effect: nothing}, "v vmodule cluster-cidr cluster-dns flannel-backend egress-selector-mode servicelb-namespace "+
		"write-kubeconfig-group helm-job-image node-name default-local-storage-path agent-token agent-token-file etcd-snapshot-name "+
		"etcd-snapshot-schedule-cron etcd-snapshot-retention etcd-snapshot-dir secrets-encryption-provider advertise-port"),
	table(flag{value: true, many: true, effect: nothing}, "disable kube-scheduler-arg "+
		"kube-cloud-controller-manager-arg kubelet-arg kube-proxy-arg node-label node-taint node-external-ip node-internal-dns node-external-dns"),
	table(flag{}, "etcd-s3 etcd-s3-skip-ssl-verify etcd-s3-insecure with-node-id docker disable-default-registry-endpoint "+
		"nonroot-devices rootless enable-pprof embedded-registry supervisor-metrics disable-apiserver disable-controller-manager disable-etcd"),
	table(flag{value: true}, "log datastore-cafile datastore-certfile datastore-keyfile etcd-s3-endpoint "+
		"etcd-s3-endpoint-ca etcd-s3-access-key etcd-s3-secret-key etcd-s3-bucket etcd-s3-region etcd-s3-folder etcd-s3-proxy "+
		"etcd-s3-config-secret etcd-s3-timeout image-credential-provider-bin-dir image-credential-provider-config container-runtime-endpoint "+
		"default-runtime image-service-endpoint pause-image snapshotter private-registry system-default-registry airgap-extra-registry "+
		"resolv-conf flannel-iface flannel-conf flannel-cni-conf vpn-auth vpn-auth-file lb-server-port"),
)

var shorts = map[string]string{"d": "data-dir", "o": "write-kubeconfig", "t": "token", "s": "server", "i": "node-ip", "c": "config", "l": "log"}

// What k3s also takes from its environment.
var environment = map[string]string{
	"K3S_TOKEN": "token", "K3S_TOKEN_FILE": "token-file", "K3S_DATA_DIR": "data-dir", "K3S_URL": "server", "K3S_CLUSTER_INIT": "cluster-init",
	"K3S_DATASTORE_ENDPOINT": "datastore-endpoint", "K3S_KUBECONFIG_OUTPUT": "write-kubeconfig", "K3S_KUBECONFIG_MODE": "write-kubeconfig-mode",
}

func table(each flag, names string) map[string]flag {
	rows := map[string]flag{}
	for _, name := range strings.Fields(names) {
		rows[name] = each
	}
	return rows
}

func merge(tables ...map[string]flag) map[string]flag {
	all := map[string]flag{}
	for _, rows := range tables {
		for name, row := range rows {
			all[name] = row
		}
	}
	return all
}
