import { numberedPodsService, numberedWorkloads } from '../../dns/numbered-pods.ts';
import { asString, objectAt, own } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';
import { eachString, isLabelCharacter, listed, wordAfter, wordBefore } from './strings.ts';

/**
 * In DNS mode aliases only short names of the main virtual namespace resolve. Says for each workload which longer names of the
 * tenant's Services it mentions: in env, args, command and the ConfigMaps it uses. Every StatefulSet has names for each of its pods,
 * and so has an Indexed Job with a subdomain.
 */
export const dnsNamesStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined || ctx.tenant.dns !== 'aliases') return;
  const policy = asString(own(view.spec, 'dnsPolicy')) ?? '';
  if (policy === 'None' || policy === 'Default') return;
  const known = knownNames(ctx);
  const found = new Set<string>();
  eachString(view, (text) => {
    namesIn(text, subject.virtualNamespace, known, found);
  });
  for (const { targetKind, name } of edit.references)
    if (targetKind === 'ConfigMap') for (const match of namesInConfig(ctx, subject.virtualNamespace, name, known)) found.add(match);
  const service = numberedPodsService(subject);
  if (service !== undefined) found.add(`${subject.name}-<n>.${service}`);
  if (found.size > 0) edit.note('DnsNameUnresolvable', { names: listed(found) }, view.base);
};

interface Known {
  /** `service.namespace` */
  readonly services: ReadonlySet<string>;
  /** `namespace/set.service`, for names of single pods */
  readonly sets: ReadonlySet<string>;
}

const KNOWN: WeakMap<TenantContext, Known> = new WeakMap();

function knownNames(ctx: TenantContext): Known {
  const made = KNOWN.get(ctx);
  if (made !== undefined) return made;
  // The host's own API answers to this one.
  const services = new Set<string>(['kubernetes.default']);
  for (const { name, virtualNamespace } of ctx.all('Service')) {
    // Where both namespaces are called alike, the host completes the name to the alias.
    if (virtualNamespace === ctx.tenant.namespace && virtualNamespace === ctx.mainNamespace) continue;
    services.add(`${name}.${virtualNamespace}`);
  }
  const sets = new Set<string>();
  for (const { subject, service } of numberedWorkloads(ctx)) sets.add(`${subject.virtualNamespace}/${subject.name}.${service}`);
  const known = { services, sets };
  KNOWN.set(ctx, known);
  return known;
}

function namesIn(text: string, virtualNamespace: string, known: Known, found: Set<string>): void {
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const left = wordBefore(text, dot, isLabelCharacter);
    if (left === '') continue;
    const right = wordAfter(text, dot + 1, isLabelCharacter);
    if (right === '') continue;
    if (known.services.has(`${left}.${right}`)) {
      const rest = dot + 1 + right.length;
      const next = text[rest] === '.' ? wordAfter(text, rest + 1, isLabelCharacter) : '';
      // `redis.default.example.com` is somebody else's.
      if (next === '' || next === 'svc') found.add(`${left}.${right}`);
      continue;
    }
    const ordinal = left.lastIndexOf('-');
    if (ordinal > 0 && known.sets.has(`${virtualNamespace}/${left.slice(0, ordinal)}.${right}`)) found.add(`${left}.${right}`);
  }
}

/** The same for a ConfigMap by itself. */
export function unresolvableInConfig(ctx: TenantContext, virtualNamespace: string, name: string): string[] {
  return [...namesInConfig(ctx, virtualNamespace, name, knownNames(ctx))].sort();
}

const IN_CONFIG: WeakMap<Subject, ReadonlySet<string>> = new WeakMap();

function namesInConfig(ctx: TenantContext, virtualNamespace: string, name: string, known: Known): ReadonlySet<string> {
  const config = ctx.find('ConfigMap', virtualNamespace, name);
  if (config === undefined) return new Set();
  const made = IN_CONFIG.get(config);
  if (made !== undefined) return made;
  const found = new Set<string>();
  for (const value of Object.values(objectAt(config.object, 'data') ?? {}))
    if (typeof value === 'string') namesIn(value, virtualNamespace, known, found);
  IN_CONFIG.set(config, found);
  return found;
}
