import { emitYaml } from '../../krm/yaml/emit.ts';

export interface TenantKubeconfig {
  /** `https://host:port` */
  readonly server: string;
  /** PEM */
  readonly authority: string;
  /** the name in the server's certificate, where that is not the host of the address */
  readonly serverName?: string;
  /** PEM */
  readonly certificate: string;
  readonly key: string;
  /** what people see in `kubectl config get-contexts` */
  readonly cluster: string;
}

/** A kubeconfig that holds all it needs, in YAML: no file, no program, nothing of this machine. */
export function tenantKubeconfig({ server, authority, serverName, certificate, key, cluster }: TenantKubeconfig): string {
  return emitYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: {
          server,
          ...(serverName !== undefined && { 'tls-server-name': serverName }),
          'certificate-authority-data': base64(authority),
        },
      },
    ],
    contexts: [{ name: cluster, context: { cluster, user: cluster } }],
    'current-context': cluster,
    users: [{ name: cluster, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
  });
}

function base64(pem: string): string {
  return Buffer.from(pem, 'latin1').toString('base64');
}
