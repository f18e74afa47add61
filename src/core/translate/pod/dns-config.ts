import { asString, type Json, type JsonObject, objectAt, objectsOf, own } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';

/** What the API server takes in a dnsConfig (core validation). */
const MOST = { nameservers: 3, searches: 32, searchCharacters: 2048 } as const;
const CLUSTER_POLICIES: ReadonlySet<string> = new Set(['', 'ClusterFirst', 'ClusterFirstWithHostNet']);

/**
 * In DNS mode server, pods that ask the cluster's DNS ask the tenant's. `Default` (the node's) and `None` (the tenant's own choice) stay as
 * they are. In mode aliases everything stays.
 */
export const dnsConfigStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const server = ctx.tenant.dnsServiceIP;
  if (ctx.tenant.dns !== 'server' || server === undefined) return;
  if (!CLUSTER_POLICIES.has(asString(own(view.spec, 'dnsPolicy')) ?? '')) return;
  edit.set([...view.base, 'dnsPolicy'], 'None', 'rw.dns');
  edit.set([...view.base, 'dnsConfig'], clusterConfig(objectAt(view.spec, 'dnsConfig'), server, subject, ctx), 'rw.dns');
};

/** As the kubelet would write resolv.conf for `ClusterFirst`, with what the user adds after it; the user's options win by name. */
function clusterConfig(user: JsonObject | undefined, server: string, subject: Subject, ctx: TenantContext): JsonObject {
  const domain = ctx.tenant.clusterDomain;
  const searches: string[] = [];
  let characters = 0;
  for (const search of [`${subject.virtualNamespace}.svc.${domain}`, `svc.${domain}`, domain, ...strings(user?.['searches'])]) {
    if (searches.includes(search) || searches.length === MOST.searches || characters + search.length >= MOST.searchCharacters) continue;
    searches.push(search);
    characters += search.length + 1;
  }
  const options = objectsOf(user?.['options']).map((option) => ({ ...option }));
  const ndots = options.some((option) => option['name'] === 'ndots') ? [] : [{ name: 'ndots', value: '5' }];
  return {
    nameservers: [...new Set([server, ...strings(user?.['nameservers'])])].slice(0, MOST.nameservers),
    searches,
    options: [...ndots, ...options],
  };
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
