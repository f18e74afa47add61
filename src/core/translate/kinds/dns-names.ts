import type { TenantContext } from '../../plan/tenant-context.ts';

/** Runs of characters that a DNS name is made of. One class, one star: linear on any text. */
const TOKEN = /[-a-z0-9.]+/gi;

/**
 * Names in a text that mean a Service of the tenant and do not resolve on the host in DNS mode `aliases`, where only a Service's
 * short name does: `svc.ns`, `svc.ns.svc[.domain]`, and names of single pods, `pod.svc[...]`.
 */
export function unresolvableNames(text: string, ctx: TenantContext, virtualNamespace: string): string[] {
  const found: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (!token.includes('.')) continue;
    const name = token.toLowerCase().replace(/^[-.]+|[-.]+$/g, '');
    if (meansService(name, ctx, virtualNamespace)) found.push(name);
  }
  return found;
}

function meansService(name: string, ctx: TenantContext, virtualNamespace: string): boolean {
  const domain = `.${ctx.tenant.clusterDomain}`;
  const inside = name.endsWith(domain) ? name.slice(0, -domain.length) : name;
  const labels = inside.split('.');
  const qualified = labels.length > 2 && labels.at(-1) === 'svc';
  const [first = '', second = '', third, ...more] = qualified ? labels.slice(0, -1) : labels;
  if (more.length > 0 || (inside !== name && !qualified)) return false;
  if (third !== undefined) return isService(second, third, ctx);
  return (
    isService(first, second, ctx) || (!qualified && isService(second, virtualNamespace, ctx) && isSetPod(first, virtualNamespace, ctx))
  );
}

function isService(name: string, virtualNamespace: string, ctx: TenantContext): boolean {
  return ctx.find('Service', virtualNamespace, name) !== undefined;
}

/** `db-0` of StatefulSet `db`: without this, `example.com` would be a pod of a Service called `com`. */
function isSetPod(name: string, virtualNamespace: string, ctx: TenantContext): boolean {
  const set = /^(.+)-\d+$/.exec(name)?.[1];
  return set !== undefined && ctx.find('StatefulSet.apps', virtualNamespace, set) !== undefined;
}
