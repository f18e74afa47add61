import { controlPlaneAddress } from '../controlplane/endpoint.ts';
import { stringAt } from '../kube/json.ts';
import { nameOf } from '../kube/object.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import type { ProjectedService } from './aliases.ts';
import { numberedWorkloads } from './numbered-pods.ts';

export const DNS_PORT = 1053 as const;
export const HEALTH_PORT = 8080 as const;
export const READY_PORT = 8181 as const;
/** Rules for names that only live content knows; the reconciler writes them, and the folder may be empty or absent. */
export const LIVE_FOLDER = '/etc/live-names' as const;

/** One rewrite of CoreDNS: the question on its way in, names and values of the answer on their way out. */
interface Rewrite {
  readonly question: readonly [from: string, to: string];
  readonly names?: readonly (readonly [from: string, to: string])[];
  readonly values?: readonly (readonly [from: string, to: string])[];
}

/** Where the server runs; in its pod by default. */
interface Surroundings {
  /** whom it asks: a resolv.conf or addresses */
  readonly upstream?: string;
  /** folder of the rules for live names */
  readonly live?: string;
  readonly port?: number;
}

/** `_http._tcp.` of SRV questions. */
const SRV = String.raw`((?:_[^.]+\._[^.]+\.)?)`;
const LABEL = '([^._][^.]*)';

/**
 * The Corefile of a tenant's DNS server. Names of the tenant's cluster are asked of the host's DNS under the host's names and
 * answered under the tenant's; what is left of either cluster's domain does not exist; everything else is the host's to answer.
 *
 * Of the projected objects Services count, others may be among them. Order decides: rules stop at the first match, the pods of a
 * StatefulSet or Indexed Job before other pods, live rules before the refusal.
 */
export function corefile(
  ctx: TenantContext,
  projected: readonly ProjectedService[],
  { upstream = '/etc/resolv.conf', live = LIVE_FOLDER, port = DNS_PORT }: Surroundings = {},
): string {
  const names = namesOf(ctx);
  const served = projected
    .filter(({ subject }) => subject.key === 'Service' && legal(subject))
    .sort((a, b) => bySource(a.subject, b.subject));
  const sets = setsByService(ctx);
  const rules = [
    tenantApi(ctx, names),
    ...served.flatMap((service) => serviceRules(ctx, service, sets.get(placeOf(service.subject)) ?? [], names)),
    ownHostNames(names),
  ];
  return [
    `.:${port} {`,
    '    errors',
    `    health :${HEALTH_PORT}`,
    `    ready :${READY_PORT}`,
    '    reload',
    '    loadbalance',
    // Answers change as pods come and go, and the host's DNS caches too.
    '    cache 5',
    ...rules.flatMap(rewriteLines),
    `    import ${live}/*.rules`,
    ...closedDomains(ctx).map((domain) => `    rewrite stop name regex ^(.*\\.)?${escaped(domain)}\\.$ closed.invalid.`),
    '    template ANY ANY invalid {',
    '        rcode NXDOMAIN',
    '    }',
    `    forward . ${upstream}`,
    '}',
    '',
  ].join('\n');
}

interface Names {
  /** the tenant's cluster domain and the zone of its namespace on the host, with their final dots */
  readonly domain: string;
  readonly hostZone: string;
}

function namesOf(ctx: TenantContext): Names {
  return { domain: `${ctx.tenant.clusterDomain}.`, hostZone: `${ctx.tenant.namespace}.svc.${ctx.host.clusterDomain}.` };
}

/** `kubernetes.default.svc` means the tenant's API, never the host's. */
function tenantApi(ctx: TenantContext, { domain }: Names): Rewrite {
  const [tenant, host] = [`kubernetes.default.svc.${domain}`, `${controlPlaneAddress(ctx)}.`];
  const asAsked = [`^(.*\\.)?${escaped(host)}$`, `{1}${tenant}`] as const;
  return {
    question: [`^${SRV}${escaped(tenant)}$`, `{1}${host}`],
    names: [asAsked],
    values: [asAsked],
  };
}

function serviceRules(
  ctx: TenantContext,
  { subject, host }: ProjectedService,
  numbered: readonly Subject[],
  { domain, hostZone }: Names,
): Rewrite[] {
  const tenantName = `${subject.name}.${subject.virtualNamespace}.svc.${domain}`;
  const hostName = `${nameOf(host)}.${hostZone}`;
  const [tenant, onHost] = [escaped(tenantName), escaped(hostName)];
  const asAsked = [`^(.*\\.)?${onHost}$`, `{1}${tenantName}`] as const;
  const sets = numbered.map((set) => [set.name, ctx.hostName(set.key, set.virtualNamespace, set.name).name] as const);
  // CoreDNS applies answer rules last to first, and each sees what the one before it made: right in either order.
  const ofSets = sets.map(
    ([mine, theirs]) => [`^${escaped(theirs)}-(\\d+)\\.(?:${onHost}|${tenant})$`, `${mine}-{1}.${tenantName}`] as const,
  );

  const rules: Rewrite[] = sets.map(([mine, theirs], index) => ({
    question: [`^${escaped(mine)}-(\\d+)\\.${tenant}$`, `${theirs}-{1}.${hostName}`],
    names: ofSets.slice(index, index + 1),
  }));
  rules.push({ question: [`^${SRV}${tenant}$`, `{1}${hostName}`], names: [asAsked, ...ofSets], values: [asAsked, ...ofSets] });
  if (stringAt(host, 'spec', 'clusterIP') === 'None') {
    // A pod's own host name (`$HOSTNAME.db`), a pod with hostname and subdomain, an address with dashes.
    rules.push({ question: [`^${LABEL}\\.${tenant}$`, `{1}.${hostName}`], names: [asAsked] });
  }
  return rules;
}

/**
 * The StatefulSets and Indexed Jobs whose pods have names under a Service, by the Service. Of one that is refused the host knows no pod,
 * so its names answer nothing.
 */
function setsByService(ctx: TenantContext): ReadonlyMap<string, readonly Subject[]> {
  const sets = new Map<string, Subject[]>();
  for (const { subject, service } of numberedWorkloads(ctx)) {
    if (!legal(subject)) continue;
    const place = `${subject.virtualNamespace}/${service}`;
    const list = sets.get(place);
    if (list === undefined) sets.set(place, [subject]);
    else list.push(subject);
  }
  for (const list of sets.values()) list.sort(bySource);
  return sets;
}

/** The host's names of the tenant's own objects answer as they are: `hostname -f` in a pod gives one. */
function ownHostNames({ hostZone }: Names): Rewrite {
  return { question: [`^(.+)\\.${escaped(hostZone)}$`, `{1}.${hostZone}`] };
}

/** Both clusters' domains, and reverse names, which would tell the names behind other tenants' addresses. */
function closedDomains(ctx: TenantContext): string[] {
  return [...new Set([ctx.tenant.clusterDomain, ctx.host.clusterDomain, 'in-addr.arpa', 'ip6.arpa'])];
}

function rewriteLines({ question, names = [], values = [] }: Rewrite): string[] {
  return [
    '    rewrite stop {',
    `        name regex ${question[0]} ${question[1]}`,
    ...names.map(([from, to]) => `        answer name ${from} ${to}`),
    ...values.map(([from, to]) => `        answer value ${from} ${to}`),
    '    }',
  ];
}

function escaped(name: string): string {
  return name.replaceAll('.', '\\.');
}

/** Nothing that is no DNS name gets into a file in which spaces and braces mean something. */
function legal({ name, virtualNamespace }: Subject): boolean {
  return /^[a-z0-9.-]+$/.test(name) && /^[a-z0-9-]+$/.test(virtualNamespace);
}

function placeOf({ name, virtualNamespace }: Subject): string {
  return `${virtualNamespace}/${name}`;
}

function bySource(a: Subject, b: Subject): number {
  const [x, y] = [placeOf(a), placeOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
