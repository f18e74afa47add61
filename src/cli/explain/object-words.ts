import { TenantplaneError } from '../errors.ts';

/** An object as a person names it, in any form in which an answer of ours prints one. */
export interface ObjectWords {
  /** as it was typed; undefined for a name alone */
  readonly kind?: string;
  /** of the host, or the tenant's own */
  readonly namespace?: string;
  readonly name: string;
  /** NAME or NAMESPACE/NAME */
  readonly tenant?: string;
}

/** Whether a word is a kind; an object's name may tell of a kind that only that object has. */
export type IsKind = (word: string, name: string) => boolean;

/** A namespace is a label (RFC 1123); groups of kinds that are not known have dots. */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
/** `of tenant team-dev/dev`, as `why` and `explain-sync` end a line. */
const OF_TENANT = /^(.*\S) of tenant (\S+)$/;
/** `dev:` in front of an object, as `reach` prints it. */
const TENANT_BEFORE = /^([a-z0-9][a-z0-9./-]*):(.*\/.*)$/;
/** `#apiFairness` and `[apps/v1/Deployment]`, which name a part of a profile or a policy. */
const PART = /(?:#[^/]*|\[[^\]]*\])$/;

/**
 * The one object that words name: `deploy/web`, `deploy web`, `Deployment shop/web`, `shop/deploy/web`, `deploy/shop/web`, `shop/web`,
 * `web`, each with ` of tenant team-dev/dev` behind it or `dev:` in front, also as one quoted word. Undefined where they are no one object.
 */
export function readObjectWords(typed: readonly string[], isKind: IsKind): ObjectWords | undefined {
  const [, text = typed.join(' '), after] = OF_TENANT.exec(typed.join(' ')) ?? [];
  const [first, second, ...more] = text.split(' ').filter((word) => word !== '');
  if (first === undefined || more.length > 0) return undefined;
  const [, before, rest = first] = TENANT_BEFORE.exec(first) ?? [];
  const object = second === undefined ? inOne(rest.replace(PART, ''), isKind) : inTwo(rest, second, isKind);
  const tenant = oneOf('tenants', before, after);
  return object === undefined ? undefined : { ...object, ...(tenant !== undefined && { tenant }) };
}

/** Of what two places say of one thing. @throws TenantplaneError where they differ */
export function oneOf(what: string, a: string | undefined, b: string | undefined): string | undefined {
  if (a !== undefined && b !== undefined && a !== b) {
    throw new TenantplaneError('usage', `Two ${what} are named: ${a} and ${b}.`, { hint: 'Say it once.' });
  }
  return a ?? b;
}

function inTwo(kind: string, object: string, isKind: IsKind): ObjectWords | undefined {
  const [name = '', namespace, ...more] = object.split('/').reverse();
  // a kind has slashes only with its version: `deploy/web svc/web` is two objects, as is `cm svc/web`
  const two = (kind.includes('/') && !isKind(kind, name)) || (namespace !== undefined && isKind(namespace, name));
  if (more.length > 0 || two) return undefined;
  return { kind, name, ...(namespace !== undefined && { namespace }) };
}

function inOne(word: string, isKind: IsKind): ObjectWords {
  const parts = word.split('/');
  const name = parts.at(-1) ?? '';
  const before = parts.slice(0, -1);
  const kind = before.join('/');
  if (before.length === 0) return { name };
  if (isKind(kind, name)) return { kind, name };
  const [first = '', last = ''] = [before[0], before.at(-1)];
  if (before.length === 1) return NAMESPACE.test(first) ? { namespace: first, name } : { kind, name };
  const [behind, ahead] = [before.slice(1).join('/'), before.slice(0, -1).join('/')];
  if (NAMESPACE.test(first) && isKind(behind, name)) return { namespace: first, kind: behind, name };
  if (NAMESPACE.test(last) && isKind(ahead, name)) return { namespace: last, kind: ahead, name };
  return { kind, name };
}
