import { at, objectsOf, own } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';
import { eachString, isVariableCharacter, listed, wordBefore } from './strings.ts';

/**
 * In the tenant, `REDIS_SERVICE_HOST` is set in each pod of the namespace that has a Service `redis`. On the host such links are switched off: they
 * would carry other names. Says where a container counts on one.
 */
export const serviceLinksStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  if (at(subject.object, ...view.base, 'enableServiceLinks') === false) return;
  const found = new Set<string>();
  eachString(view, (text, container) => {
    for (let place = text.indexOf('_SERVICE_'); place >= 0; place = text.indexOf('_SERVICE_', place + 1)) {
      const end = LINKS.find((link) => text.startsWith(link, place));
      const prefix = end === undefined ? '' : wordBefore(text, place, isVariableCharacter);
      if (end === undefined || !prefixes(ctx).has(`${subject.virtualNamespace}/${prefix}`)) continue;
      const name = prefix + end;
      if (!objectsOf(container['env']).some((variable) => own(variable, 'name') === name)) found.add(name);
    }
  });
  if (found.size > 0) edit.note('ServiceLinksOff', { names: listed(found) }, view.base);
};

const LINKS = ['_SERVICE_HOST', '_SERVICE_PORT'] as const;
const PREFIXES: WeakMap<TenantContext, ReadonlySet<string>> = new WeakMap();

/** `namespace/REDIS` for each Service, as the kubelet would call its variables. */
function prefixes(ctx: TenantContext): ReadonlySet<string> {
  const made = PREFIXES.get(ctx);
  if (made !== undefined) return made;
  const set = new Set<string>();
  for (const { name, virtualNamespace } of ctx.all('Service')) set.add(`${virtualNamespace}/${name.toUpperCase().replaceAll('-', '_')}`);
  PREFIXES.set(ctx, set);
  return set;
}
