package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// children are the processes that k3s has within itself. The end of one is the end of all.
type children struct {
	running []*child
	ended   chan error
}

type child struct {
	name    string
	process *os.Process
	gone    chan struct{}
}

func stopSignals() chan os.Signal {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	return stop
}

func (c *children) start(name string, args ...string) error {
	command := exec.Command("/bin/"+name, args...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal to us is ours to hand on, in order
	output, err := command.StderrPipe()
	if err != nil {
		return err
	}
	command.Stdout = os.Stdout // kube-apiserver writes its audit log there, if told to
	if err := command.Start(); err != nil {
		return err
	}
	started := &child{name: name, process: command.Process, gone: make(chan struct{})}
	c.running = append(c.running, started)
	var copied sync.WaitGroup
	copied.Add(1)
	go func() {
		defer copied.Done()
		prefix(name, output)
	}()
	go func() {
		copied.Wait()
		err := command.Wait()
		close(started.gone)
		c.ended <- fmt.Errorf("%s ended: %v", name, err)
	}()
	say("info", "Running %s", name)
	return nil
}

func prefix(name string, output io.Reader) {
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			fmt.Fprintf(os.Stderr, "%s: %s", name, line)
		}
		if err != nil {
			return
		}
	}
}

// stop ends the last one first, so that each still has what it works on; one that takes its time is killed.
func (c *children) stop() {
	for at := len(c.running) - 1; at >= 0; at-- {
		each := c.running[at]
		_ = each.process.Signal(syscall.SIGTERM)
		select {
		case <-each.gone:
		case <-time.After(3 * time.Second):
			_ = each.process.Kill()
			<-each.gone
		}
	}
}
