package main

import (
	"context"
	"net"
	_ "unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/kube-network-policies/pkg/networkpolicy"
)

// The two steps that the engine takes for a packet and a direction. It exports neither, and its exported way in is a queue of the
// kernel, so they are bound by their names; the version is pinned, and a change of either name fails the build.

//go:linkname policiesOf sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).getNetworkPoliciesForPod
func policiesOf(*networkpolicy.Controller, *corev1.Pod) []*networkingv1.NetworkPolicy

//go:linkname evaluate sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluator
func evaluate(
	controller *networkpolicy.Controller, ctx context.Context, policies []*networkingv1.NetworkPolicy, direction networkingv1.PolicyType,
	pod *corev1.Pod, port int, peer *corev1.Pod, peerIP net.IP, peerPort int, protocol corev1.Protocol) bool

// engine is a controller whose informers are never started: what it knows is put into their stores.
type engine struct {
	controller                 *networkpolicy.Controller
	namespaces, pods, policies cache.Indexer
}

func newEngine() (*engine, error) {
	// a client that nobody calls
	client, err := kubernetes.NewForConfig(&rest.Config{Host: "127.0.0.1:0"})
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	policies := factory.Networking().V1().NetworkPolicies()
	namespaces, pods, nodes := factory.Core().V1().Namespaces(), factory.Core().V1().Pods(), factory.Core().V1().Nodes()
	config := networkpolicy.Config{NodeName: "node", NRIdisabled: true}
	controller, err := networkpolicy.NewController(client, policies, namespaces, pods, nodes, nil, nil, nil, config)
	if err != nil {
		return nil, err
	}
	return &engine{controller, namespaces.Informer().GetIndexer(), pods.Informer().GetIndexer(), policies.Informer().GetIndexer()}, nil
}

// peer is a pod with its address and the policies that select it, or an address alone.
type peer struct {
	pod      *corev1.Pod
	ip       net.IP
	policies []*networkingv1.NetworkPolicy
}

// A client's port: policies say nothing of it.
const clientPort = 40000

func (e *engine) letsOut(source, destination peer, port port) bool {
	return evaluate(e.controller, context.Background(), source.policies, networkingv1.PolicyTypeEgress,
		source.pod, clientPort, destination.pod, destination.ip, port.Port, port.Protocol)
}

func (e *engine) letsIn(source, destination peer, port port) bool {
	return evaluate(e.controller, context.Background(), destination.policies, networkingv1.PolicyTypeIngress,
		destination.pod, port.Port, source.pod, source.ip, clientPort, port.Protocol)
}
