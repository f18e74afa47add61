package main

// startControllers runs kube-controller-manager beside the API server that answers by now.
func startControllers(o options, c *children, shared bool) error {
	kubeconfig := o.path("cred", "controller.kubeconfig")
	if err := writeClient(o, kubeconfig, "client-controller", 0o600); err != nil {
		return err
	}
	elect := "--leader-elect=false"
	if shared { // other servers have one too
		elect = "--leader-elect=true"
	}
	args := []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file=" + o.path("tls", "service.key"),
		"--root-ca-file=" + o.path("tls", "server-ca.crt"),
		"--cluster-signing-cert-file=" + o.path("tls", "client-ca.crt"),
		"--cluster-signing-key-file=" + o.path("tls", "client-ca.key"),
		"--profiling=false",
		elect,
	}
	return c.start("kube-controller-manager", withExtra(args, o["kube-controller-manager-arg"])...)
}

func withExtra(args, extra []string) []string {
	for _, each := range extra {
		args = append(args, "--"+each)
	}
	return args
}
