import type { JsonObject } from '../../core/kube/json.ts';
import { count, flag, list, object, text, textOrNull } from './schema-words.ts';

const TENANT = text('namespace/name of a TenantCluster');

/** `up -o json` */
export const UP_REPORT: JsonObject = object('What was applied to a host, and whether its tenants got ready in time: up -o json', {
  host: text('address of the API server'),
  applied: list('in order', object('what was applied together', { name: text('what it is'), objects: count('how many') })),
  leader: textOrNull('identity of the process that leads, where it is not this one'),
  tenants: list(
    'of the package',
    object('one tenant', {
      tenant: TENANT,
      ready: flag('whether it got ready in time'),
      phase: textOrNull('status.phase as it was read last'),
      reason: textOrNull('of the condition Ready'),
      message: textOrNull('of the condition Ready'),
      kubernetesVersion: textOrNull('what its API says it is'),
      endpoint: textOrNull('its API inside the host cluster'),
      externalEndpoint: textOrNull('its API from outside, where it has a load balancer'),
    }),
  ),
});

const IDENTITY = {
  apiVersion: text('of the object'),
  kind: text('of the object'),
  namespace: textOrNull('null where the object is of the cluster'),
  name: text('of the object'),
};

/** `down -o json` */
export const DOWN_REPORT: JsonObject = object('What was deleted from a host, or would be: down -o json', {
  host: text('address of the API server'),
  dryRun: flag('whether nothing was changed'),
  tenants: list(
    'that were to go',
    object('one tenant', { tenant: TENANT, gone: flag('whether its control plane was taken down in time; false in a dry run') }),
  ),
  deleted: list('beside the TenantClusters, in order; what is in a Namespace goes with it', object('one object', IDENTITY)),
  kept: list('namespaces that stay', object('one object', { ...IDENTITY, why: text('what it holds') })),
});

/** `kubeconfig -o json` */
export const KUBECONFIG_REPORT: JsonObject = object(
  'Where a tenant’s kubeconfig was written, and how long it is good for: kubeconfig -o json',
  {
    tenant: TENANT,
    controlPlaneNamespace: text('where its control plane runs on the host'),
    file: text('absolute path of the kubeconfig; what is in it is not in this report'),
    server: text('the address in it'),
    expires: text('when its certificate ends, RFC 3339'),
    ready: flag('whether the tenant is ready'),
    problem: textOrNull('what is the matter where it is not'),
  },
);
