/** The first application of a new package: it passes every level, so that what a new user sees first is a render that works. */
export const APPLICATION = `# The tenant's own objects: written as for any cluster, in the tenant's names. Try what a refusal looks like:
# add a hostPath volume and render again.
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  default.conf: |
    server {
      listen 8080;
      location / {
        return 200 'hello from a tenant\\n';
      }
    }
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: web
          image: nginxinc/nginx-unprivileged:1.29
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /
              port: http
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
            limits:
              cpu: 200m
              memory: 128Mi
          securityContext:
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: config
              mountPath: /etc/nginx/conf.d
      volumes:
        - name: config
          configMap:
            name: web
` as const;
