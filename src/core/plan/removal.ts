import { decide } from '../decision/decide.ts';
import type { Decision, ObjectRef } from '../decision/decision.ts';
import type { ReasonName } from '../decision/reasons.ts';
import { isAlias } from '../dns/aliases.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, apiVersionOf, groupOf, kindKey, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { keptOnPrune } from './delivery.ts';
import { leftBehind } from './left-behind.ts';
import type { PreviousObject, TenantPlan } from './plan-types.ts';
import type { TenantSettings } from './settings.ts';

const LEFT_OUT = 'the package no longer holds it, or output.config leaves it out';

/**
 * Why an object of ours leaves the tree: its source is gone, no longer projected, or its whole tenant is gone.
 * @param tenant the tenant of the folder that it lies in, where there is one
 * @param known whether a copied TenantCluster is still in the package
 */
export function removal(
  { object, source: { path } }: PreviousObject,
  { tenant, settings, known = false }: { readonly tenant?: TenantPlan; readonly settings?: TenantSettings; readonly known?: boolean },
): Decision {
  const annotations = annotationsOf(object);
  const cluster = annotations.get(KEY.tenantCluster);
  // A copy of configuration belongs to no tenant, but for that of a TenantCluster.
  const ofCluster = kindOf(object) === 'TenantCluster' ? `${namespaceOf(object) ?? ''}/${nameOf(object)}` : '';
  const [namespace = '', name = ''] = (cluster ?? ofCluster).split('/');
  const host = {
    apiVersion: apiVersionOf(object),
    kind: kindOf(object),
    namespace: namespaceOf(object) ?? '',
    name: nameOf(object),
    file: path,
  };
  const virtualName = annotations.get(KEY.virtualName);
  const virtualNamespace = annotations.get(KEY.virtualNamespace);
  const source = virtualName === undefined ? `${host.kind} ${host.name}` : `${host.kind} ${virtualNamespace}/${virtualName}`;
  const sameSource = (from: ObjectRef): boolean =>
    from.name === virtualName &&
    from.namespace === virtualNamespace &&
    kindKey(from.apiVersion, from.kind) === kindKey(host.apiVersion, host.kind);
  const [reason, params] = ((): [ReasonName, Readonly<Record<string, string>>] => {
    if (cluster === undefined && (name === '' || known)) {
      const config = groupOf(host.apiVersion) === 'tenantplane.io';
      return ['ScopeRemoved', { source, why: config ? LEFT_OUT : 'no profile of the package asks for it' }];
    }
    if (tenant === undefined || tenant.name !== name) return ['TenantRemoved', { tenant: `${namespace}/${name}` }];
    if (isAlias(object))
      return ['ScopeRemoved', { source: `The short name ${host.name}`, why: 'networking.dns, the main namespace or the Service changed' }];
    if (virtualName === undefined) return ['ScopeRemoved', { source, why: 'its profile and TenantCluster no longer ask for it' }];
    const stays = tenant.decisions.some(({ action, source: from }) => action === 'Create' && from !== undefined && sameSource(from));
    if (stays) return ['ScopeRemoved', { source, why: 'it stands under another host name now' }];
    const skipped = tenant.decisions.find(
      (decision) => decision.action === 'Skip' && decision.source !== undefined && sameSource(decision.source),
    );
    return skipped === undefined ? ['SourceRemoved', { source }] : ['ScopeRemoved', { source, why: `${skipped.code} ${skipped.reason}` }];
  })();
  const kept = keptOnPrune(object, settings ?? { pruneVolumes: false });
  return decide({
    tenant: { namespace, name },
    host,
    flow: 'ToHost',
    action: 'Delete',
    reason,
    params,
    causes: [cluster === undefined ? 'output.config' : `TenantCluster/${name}`],
    ...(kept && { notes: [{ reason: 'DataLeftBehind', params: leftBehind(host, reason === 'TenantRemoved') }] }),
  });
}
