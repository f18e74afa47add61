package main

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// asServed gives the policy as a network plugin gets it from the API server: stored, so that an empty list is no list (the engine
// takes the one for "everyone" and the other for "no one"), and with the defaults of networking/v1. A policy that the API server
// would refuse is an error, since the engine lets everything pass where it cannot read a selector.
func asServed(written *networkingv1.NetworkPolicy) (*networkingv1.NetworkPolicy, error) {
	stored, err := written.Marshal()
	if err != nil {
		return nil, err
	}
	policy := &networkingv1.NetworkPolicy{}
	if err := policy.Unmarshal(stored); err != nil {
		return nil, err
	}
	spec := &policy.Spec
	if len(spec.PolicyTypes) == 0 {
		spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
		if len(spec.Egress) > 0 {
			spec.PolicyTypes = append(spec.PolicyTypes, networkingv1.PolicyTypeEgress)
		}
	}
	problems := []error{readable(&spec.PodSelector)}
	for _, rule := range spec.Ingress {
		defaultPorts(rule.Ports)
		problems = append(problems, readablePeers(rule.From))
	}
	for _, rule := range spec.Egress {
		defaultPorts(rule.Ports)
		problems = append(problems, readablePeers(rule.To))
	}
	return policy, errors.Join(problems...)
}

func defaultPorts(ports []networkingv1.NetworkPolicyPort) {
	tcp := corev1.ProtocolTCP
	for index := range ports {
		if ports[index].Protocol == nil {
			ports[index].Protocol = &tcp
		}
	}
}

func defaultPod(pod *corev1.Pod) {
	for _, container := range pod.Spec.Containers {
		for index := range container.Ports {
			if container.Ports[index].Protocol == "" {
				container.Ports[index].Protocol = corev1.ProtocolTCP
			}
		}
	}
}

func readablePeers(peers []networkingv1.NetworkPolicyPeer) error {
	problems := []error{}
	for _, peer := range peers {
		if peer.IPBlock == nil && peer.PodSelector == nil && peer.NamespaceSelector == nil {
			problems = append(problems, errors.New("a peer that names nobody"))
		}
		problems = append(problems, readable(peer.PodSelector), readable(peer.NamespaceSelector))
	}
	return errors.Join(problems...)
}

func readable(selector *metav1.LabelSelector) error {
	_, err := metav1.LabelSelectorAsSelector(selector)
	return err
}
