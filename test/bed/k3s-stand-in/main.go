// Stands in for k3s in the tests of control planes, where no registry can be pulled from: takes the arguments and files of a `k3s server`
// without agent, runs kine (or an etcd) and a real kube-apiserver, and serves what k3s serves. README.md says what differs.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fatal("usage: k3s server|etcd-snapshot|kubectl|--version")
	}
	switch os.Args[1] {
	case "--version", "-v":
		fmt.Printf("k3s version %s (stand-in)\n", k3sVersion())
	case "kubectl":
		err := syscall.Exec("/bin/kubectl", append([]string{"kubectl"}, os.Args[2:]...), os.Environ())
		fatal("kubectl: %v", err)
	case "etcd-snapshot":
		if err := saveSnapshot(os.Args[2:]); err != nil {
			fatal("%v", err)
		}
	case "server":
		if os.Getpid() == 1 {
			os.Exit(reap())
		}
		options, err := parseOptions(os.Args[2:], os.LookupEnv)
		if err != nil {
			fatal("%v", err)
		}
		if err := serve(options); err != nil {
			fatal("%v", err)
		}
	default:
		fatal("the stand-in has no command %q", os.Args[1])
	}
}

// k3sVersion is what the image says: one binary serves as every version.
func k3sVersion() string {
	if version := os.Getenv("K3S_STANDIN_VERSION"); version != "" {
		return version
	}
	return "v0.0.0+k3s1"
}

// reap runs the server as a child: the first process of a container has to take in the processes that others leave behind.
func reap() int {
	child := exec.Command("/proc/self/exe", os.Args[1:]...)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		fatal("%v", err)
	}
	stop := stopSignals()
	go func() {
		for signal := range stop {
			_ = child.Process.Signal(signal)
		}
	}()
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err == nil && pid == child.Process.Pid {
			if status.Signaled() {
				return 128 + int(status.Signal())
			}
			return status.ExitStatus()
		}
		if err != nil && err != syscall.EINTR {
			return 1
		}
	}
}

func say(level, format string, values ...any) {
	fmt.Fprintf(os.Stderr, "time=%q level=%s msg=%q\n", time.Now().UTC().Format(time.RFC3339), level, fmt.Sprintf(format, values...))
}

func fatal(format string, values ...any) {
	say("fatal", format, values...)
	os.Exit(1)
}
