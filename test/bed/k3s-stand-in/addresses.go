package main

import (
	"fmt"
	"net"
	"net/netip"
	"os"
)

const defaultServiceCIDR = "10.43.0.0/16"

// addresses are those of this server, and the names that it is called by.
type addresses struct {
	advertised string
	node       string // what others call this server by
	names      []string
}

func ownAddresses(o options) (addresses, error) {
	advertised := o.get("advertise-address", o.get("node-ip", ""))
	if advertised == "" {
		all, err := net.InterfaceAddrs()
		if err != nil {
			return addresses{}, err
		}
		for _, each := range all {
			if network, is := each.(*net.IPNet); is && advertised == "" && network.IP.IsGlobalUnicast() && network.IP.To4() != nil {
				advertised = network.IP.String()
			}
		}
	}
	services, err := netip.ParsePrefix(o.get("service-cidr", defaultServiceCIDR))
	if err != nil {
		return addresses{}, fmt.Errorf("invalid service-cidr: %w", err)
	}
	hostname, err := os.Hostname()
	if err != nil {
		return addresses{}, err
	}
	domain := o.get("cluster-domain", "cluster.local")
	names := []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc." + domain, "localhost", hostname,
		"127.0.0.1", "::1", services.Masked().Addr().Next().String(), advertised}
	node := o.get("node-ip", advertised)
	if node != advertised {
		names = append(names, node)
	}
	return addresses{advertised: advertised, node: node, names: append(names, o.list("tls-san")...)}, nil
}
