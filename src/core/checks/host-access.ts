import { asArray, asString, isObject, type Json, type JsonObject, objectAt, objectsOf, own, type Path } from '../kube/json.ts';
import type { Refusal } from '../translate/edit.ts';
import { blockedBy } from './blocked-by.ts';
import type { Check } from './check.ts';
import { containersOf, inContainer, isSet } from './containers.ts';
import { podSpecCheck } from './pod-spec.ts';

/** Ways in which a pod would act as the node it runs on. Forbidden at every level, whatever a profile says. */

export const privilegedCheck: Check = podSpecCheck('isolation.privileged', (spec, base, ctx) => {
  const by = blockedBy(ctx, ctx.profile.blockPrivileged && 'controls.blockPrivilegedContainers');
  const refusals: Refusal[] = [];
  for (const container of containersOf(spec)) {
    const privileged = objectAt(container.spec, 'securityContext')?.['privileged'];
    if (isSet(privileged) && privileged !== false)
      refusals.push({
        reason: 'PrivilegedBlocked',
        params: { container: container.name, control: by.words },
        control: by.control,
        path: inContainer(base, container, 'securityContext', 'privileged'),
      });
  }
  return refusals;
});

export const hostNamespacesCheck: Check = podSpecCheck('isolation.host-namespaces', (spec, base) => {
  return (['hostNetwork', 'hostPID', 'hostIPC'] as const)
    .filter((field) => isSet(own(spec, field)) && spec[field] !== false)
    .map((field): Refusal => ({ reason: 'HostNamespaceBlocked', params: { field }, path: [...base, field] }));
});

export const hostUsersCheck: Check = podSpecCheck('isolation.host-users', (spec, base, ctx) => {
  if (ctx.profile.userNamespaces !== 'required' || own(spec, 'hostUsers') !== true) return [];
  return [{ reason: 'HostUsersBlocked', params: { profile: ctx.profile.name }, path: [...base, 'hostUsers'] }];
});

export const hostPortsCheck: Check = podSpecCheck('isolation.host-ports', (spec, base) => {
  const refusals: Refusal[] = [];
  for (const container of containersOf(spec)) {
    const ports = asArray(container.spec['ports']) ?? [];
    ports.forEach((port, index) => {
      const hostPort = isObject(port) ? own(port, 'hostPort') : undefined;
      if (isSet(hostPort) && hostPort !== 0)
        refusals.push({
          reason: 'HostPortBlocked',
          params: { container: container.name, port: text(hostPort) },
          path: inContainer(base, container, 'ports', index, 'hostPort'),
        });
    });
  }
  return refusals;
});

export const nodeNameCheck: Check = podSpecCheck('isolation.node-name', (spec, base) => {
  const node = own(spec, 'nodeName');
  if (!isSet(node) || node === '') return [];
  return [{ reason: 'NodeNamePinned', params: { node: text(node) }, path: [...base, 'nodeName'] }];
});

/** Says the same of a node as its name (kubelet). */
const HOSTNAME = 'kubernetes.io/hostname';

/** A choice by name, to which only the taints of the node say no. Fields of a node are its name and nothing else. */
export const nodeChoiceCheck: Check = podSpecCheck('isolation.node-choice', (spec, base, ctx) => {
  const refusals: Refusal[] = [];
  const refuse = (field: string, node: string, path: Path): void => {
    refusals.push({ reason: 'NodeChosen', params: { field, node }, path: [...base, ...path] });
  };
  const selected = objectAt(spec, 'nodeSelector')?.[HOSTNAME];
  const pool = ctx.tenant.mode === 'dedicated' ? ctx.tenant.nodePool?.nodeSelector[HOSTNAME] : undefined;
  if (isSet(selected) && selected !== pool) refuse('nodeSelector', text(selected), ['nodeSelector', HOSTNAME]);
  const look = (term: JsonObject | undefined, path: Path): void => {
    for (const field of ['matchExpressions', 'matchFields'] as const)
      (asArray(term?.[field]) ?? []).forEach((row, index) => {
        if (!isObject(row) || (field === 'matchExpressions' && row['key'] !== HOSTNAME)) return;
        refuse('nodeAffinity', (asArray(row['values']) ?? []).map(text).join(', ') || 'any', [...path, field, index]);
      });
  };
  const affinity = objectAt(spec, 'affinity', 'nodeAffinity');
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  (asArray(objectAt(affinity, required)?.['nodeSelectorTerms']) ?? []).forEach((term, index) => {
    look(isObject(term) ? term : undefined, ['affinity', 'nodeAffinity', required, 'nodeSelectorTerms', index]);
  });
  (asArray(affinity?.[preferred]) ?? []).forEach((item, index) => {
    look(objectAt(isObject(item) ? item : undefined, 'preference'), ['affinity', 'nodeAffinity', preferred, index, 'preference']);
  });
  return refusals;
});

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HOOKS = ['postStart', 'preStop'] as const;
const HANDLERS = ['httpGet', 'tcpSocket'] as const;

/**
 * The kubelet makes these calls from the node's own network. Pod Security forbids the field since 1.34 only (KEP-4940); here it
 * is forbidden for every host.
 */
export const probeHostCheck: Check = podSpecCheck('isolation.probe-host', (spec, base) => {
  const refusals: Refusal[] = [];
  for (const container of containersOf(spec)) {
    const look = (holder: JsonObject | undefined, hook: string, ...path: string[]): void => {
      if (holder === undefined) return;
      for (const handler of HANDLERS) {
        const host = objectAt(holder, handler)?.['host'];
        if (isSet(host) && host !== '')
          refusals.push({
            reason: 'ProbeHostBlocked',
            params: { container: container.name, hook, host: text(host) },
            path: inContainer(base, container, ...path, handler, 'host'),
          });
      }
    };
    for (const probe of PROBES) look(objectAt(container.spec, probe), probe, probe);
    const lifecycle = objectAt(container.spec, 'lifecycle');
    if (lifecycle !== undefined) for (const hook of HOOKS) look(objectAt(lifecycle, hook), `${hook} hook`, 'lifecycle', hook);
  }
  return refusals;
});

/** Fields that hand a pod to a controller of the host that no tenant may speak to. */
export const schedulerCheck: Check = podSpecCheck('isolation.scheduler', (spec, base) => {
  const refusals: Refusal[] = [];
  const refuse = (field: string, value: string): void => {
    refusals.push({ reason: 'SchedulerBlocked', params: { field, value }, path: [...base, field] });
  };
  const scheduler = own(spec, 'schedulerName');
  if (isSet(scheduler) && scheduler !== '' && scheduler !== 'default-scheduler') refuse('schedulerName', text(scheduler));
  const gates = names(own(spec, 'schedulingGates'));
  if (gates !== undefined) refuse('schedulingGates', `whoever lifts ${gates}`);
  // A claim may ask for administrative access to a device (CVE-2025-4563).
  const claims = names(own(spec, 'resourceClaims'));
  if (claims !== undefined) refuse('resourceClaims', `the allocation of devices (${claims})`);
  for (const field of ['workloadRef', 'schedulingGroup'] as const)
    if (isSet(own(spec, field))) refuse(field, 'a group of pods of the host');
  if (isSet(own(spec, 'evictionResponders'))) refuse('evictionResponders', 'a controller that answers evictions');
  return refusals;
});

function names(list: Json | undefined): string | undefined {
  if (!isSet(list) || (Array.isArray(list) && list.length === 0)) return undefined;
  return objectsOf(list)
    .map((item) => asString(item['name']) ?? '')
    .join(', ');
}

/** A value of the tenant's for a message, whatever its type. */
export function text(value: Json | undefined): string {
  return typeof value === 'object' ? 'an object' : String(value);
}
