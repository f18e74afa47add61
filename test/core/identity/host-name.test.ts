import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostName, parseHostName } from '../../../src/core/identity/host-name.ts';

const LIMITS = { nameLimit: 63, dots: true };
const name = (n: string, ns: string, tenant: string, limits = LIMITS): string => hostName(n, ns, tenant, limits).name;

/** Names made of the pieces that break naming rules, so that near misses are common. */
const tricky = fc
  .array(fc.constantFrom('a', 'b', 'x', '-', '-x-', '-x', 'x-', '.', 'app', '0', '--'), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((text) => /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text) && !text.includes('..'));
const label = tricky.map((text) => text.replaceAll('.', '')).filter((text) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text));

describe('hostName', () => {
  it('keeps the readable form where it is unambiguous', () => {
    expect(hostName('nginx', 'default', 'dev', LIMITS)).toEqual({ name: 'nginx-x-default-x-dev', hashed: false });
  });

  it('tells (a, b-x-c) from (a-x-b, c)', () => {
    expect(name('a', 'b-x-c', 'dev')).not.toBe(name('a-x-b', 'c', 'dev'));
  });

  it('tells (a, b, c-x-dev) from (a, b-x-c, dev)', () => {
    expect(name('a', 'b', 'c-x-dev')).not.toBe(name('a', 'b-x-c', 'dev'));
  });

  it('tells (a-x, b) from (a, x-b), whose readable forms are equal', () => {
    expect(name('a-x', 'b', 'dev')).not.toBe(name('a', 'x-b', 'dev'));
  });

  it('keeps dots where the kind allows them, and tells app.config from app-config where it does not', () => {
    expect(name('app.config', 'default', 'dev')).toBe('app.config-x-default-x-dev');
    const noDots = { nameLimit: 52, dots: false };
    expect(name('app.config', 'default', 'dev', noDots)).not.toContain('.');
    expect(name('app.config', 'default', 'dev', noDots)).not.toBe(name('app-config', 'default', 'dev', noDots));
  });

  it('is within the limit of the kind and a legal name, whatever the parts', () => {
    fc.assert(
      fc.property(tricky, label, label, fc.constantFrom(52, 63), fc.boolean(), (n, ns, tenant, nameLimit, dots) => {
        const host = name(n.repeat(5), ns, tenant, { nameLimit, dots });
        expect(host.length).toBeLessThanOrEqual(nameLimit);
        expect(host).toMatch(dots ? /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/ : /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
      }),
    );
  });

  it('reads a plain name back exactly, and never takes a hashed one for plain', () => {
    fc.assert(
      fc.property(tricky, label, label, (n, ns, tenant) => {
        const host = hostName(n, ns, tenant, LIMITS);
        expect(parseHostName(host.name)).toEqual(host.hashed ? undefined : { name: n, virtualNamespace: ns, tenant });
      }),
      { numRuns: 5000 },
    );
  });

  it('gives 1,000,000 random and adversarial identities as many names', () => {
    const pieces = [
      'a',
      'b',
      'x',
      'x-x',
      'a-x',
      'x-a',
      'a-x-b',
      'web',
      'web-1',
      'a.b',
      'a--b',
      'app',
      'l'.repeat(60),
      `${'l'.repeat(60)}m`,
    ];
    const tenants = ['dev', 'x-dev', 'c-x-dev', 'dev-x'];
    const seen = new Map<string, string>();
    let state = 12345;
    const random = (below: number): number => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    };
    const pick = (list: readonly string[]): string => list[random(list.length)] ?? '';
    while (seen.size < 1_000_000) {
      const n = `${pick(pieces)}${random(3) === 0 ? `-${pick(pieces)}` : ''}${random(2) === 0 ? `-${random(500_000)}` : ''}`;
      const ns = `${pick(pieces)}${random(2) === 0 ? `-${random(500)}` : ''}`.replaceAll('.', '').slice(0, 63);
      const tenant = pick(tenants);
      const identity = `${n}|${ns}|${tenant}`;
      const host = name(n, ns, tenant);
      const other = seen.get(host);
      if (other !== undefined && other !== identity) expect.fail(`${identity} and ${other} share ${host}`);
      seen.set(host, identity);
    }
    expect(seen.size).toBe(1_000_000);
    // seconds on a quiet machine, a minute on a busy one
  }, 180_000);
});
