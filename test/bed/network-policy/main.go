// What NetworkPolicies let through, by the engine of sigs.k8s.io/kube-network-policies, without a cluster. Takes a question a line on
// stdin and prints an answer a line. For each port asked about, `out` and `in` hold a text for each source, pods first and then
// addresses, with a sign for each destination in the same order: `+` is let through, `-` is not.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

type question struct {
	Namespaces []corev1.Namespace           `json:"namespaces"`
	Pods       []corev1.Pod                 `json:"pods"`
	Policies   []networkingv1.NetworkPolicy `json:"policies"`
	Addresses  []string                     `json:"addresses"`
	Ports      []port                       `json:"ports"`
}

type port struct {
	Protocol corev1.Protocol `json:"protocol"`
	Port     int             `json:"port"`
}

type answer struct {
	Out [][]string `json:"out"`
	In  [][]string `json:"in"`
	// why the question has no answer
	Error string `json:"error,omitempty"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	engine, err := newEngine()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 1<<28)
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		asked := question{}
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&asked); err != nil {
			return err
		}
		said, err := engine.answer(asked)
		if err != nil {
			said = answer{Error: err.Error()}
		}
		if err := encoder.Encode(said); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (e *engine) answer(asked question) (answer, error) {
	said := answer{Out: [][]string{}, In: [][]string{}}
	peers, err := e.learn(asked)
	if err != nil {
		return said, err
	}
	for _, port := range asked.Ports {
		out, in := []string{}, []string{}
		for _, source := range peers {
			rowOut, rowIn := make([]byte, len(peers)), make([]byte, len(peers))
			for index, destination := range peers {
				rowOut[index] = sign(e.letsOut(source, destination, port))
				rowIn[index] = sign(e.letsIn(source, destination, port))
			}
			out, in = append(out, string(rowOut)), append(in, string(rowIn))
		}
		said.Out, said.In = append(said.Out, out), append(said.In, in)
	}
	return said, nil
}

func sign(through bool) byte {
	if through {
		return '+'
	}
	return '-'
}

// learn puts the objects into the engine's stores, in place of those of the question before.
func (e *engine) learn(asked question) ([]peer, error) {
	peers, namespaces, pods, policies := []peer{}, []any{}, []any{}, []any{}
	for index := range asked.Namespaces {
		namespaces = append(namespaces, &asked.Namespaces[index])
	}
	for index := range asked.Pods {
		pod := &asked.Pods[index]
		ip := net.ParseIP(pod.Status.PodIP)
		if ip == nil {
			return nil, fmt.Errorf("pod %s/%s has no address", pod.Namespace, pod.Name)
		}
		defaultPod(pod)
		pods, peers = append(pods, pod), append(peers, peer{pod: pod, ip: ip})
	}
	for index := range asked.Policies {
		policy, err := asServed(&asked.Policies[index])
		if err != nil {
			return nil, fmt.Errorf("policy %s/%s: %w", asked.Policies[index].Namespace, asked.Policies[index].Name, err)
		}
		policies = append(policies, policy)
	}
	for _, address := range asked.Addresses {
		ip := net.ParseIP(address)
		if ip == nil {
			return nil, fmt.Errorf("%s is no address", address)
		}
		peers = append(peers, peer{ip: ip})
	}
	for _, err := range []error{e.namespaces.Replace(namespaces, ""), e.pods.Replace(pods, ""), e.policies.Replace(policies, "")} {
		if err != nil {
			return nil, err
		}
	}
	for index := range peers {
		peers[index].policies = policiesOf(e.controller, peers[index].pod)
	}
	return peers, nil
}
