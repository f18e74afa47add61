module tenantplane.io/test/bed/k3s-stand-in

go 1.24.0
