import { describe, expect, it } from 'vitest';
import { plan } from '../../../src/core/plan/plan.ts';
import type { Plan, Printer } from '../../../src/core/plan/plan-types.ts';
import { YAML_PRINTER } from '../../../src/krm/printer.ts';
import { devPackage, type Files, observe, planFiles, previousOf, profile } from '../../support/observe.ts';

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const many = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}.yaml`, configMap(`c${index}`)]));
const sharded = { output: { config: 'include', shards: 4 } } as const;
const facts = (version: string): Files => ({
  'facts.yaml': `apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {version: "${version}"}\n`,
});
const errorsOf = ({ findings }: Plan): string[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ reason, message, remedy }) => `${reason}: ${message} ${remedy}`);

describe('the guard of a mass delete', () => {
  const old = previousOf(planFiles(devPackage(many(60))));

  it('lets a tree be spread: an object that moves is not removed', () => {
    const result = planFiles(devPackage(many(60)), sharded, old);
    expect(result.removed.length).toBeGreaterThan(60);
    expect(errorsOf(result)).toEqual([]);
  });

  it('counts what goes while the rest moves', () => {
    expect(errorsOf(planFiles(devPackage({}), sharded, old))).toEqual([expect.stringMatching(/^MassDeleteHeld: 60 of /)]);
  });
});

describe('the guard of admission policies', () => {
  const files = devPackage({});
  const old = previousOf(planFiles(files));
  const count = old.filter(({ source }) => source.path.startsWith('platform/validatingadmissionpolic')).length;

  it.each<[string, Files, { readonly version?: string }]>([
    ['the config', files, { version: '1.29' }],
    ['the facts', { ...files, ...facts('v1.29.4') }, {}],
  ])('holds a render for a host that is said to serve none: %s', (_, given, host) => {
    const result = planFiles(given, { host }, old);
    expect(result.stopped).toBe(true);
    expect(errorsOf(result)).toEqual([
      `AdmissionHeld: ${count} admission policies and bindings would be removed: the host is said to be 1.29, which serves none before 1.30. Mend the version of the host (--host-version, host.version, HostFacts); if that is meant, repeat with --max-deletions ${count} (config: maxDeletions).`,
    ]);
    expect(planFiles(given, { host, maxDeletions: count - 1 }, old).stopped).toBe(true);
    expect(planFiles(given, { host, maxDeletions: count }, old).stopped).toBe(false);
  });

  it('lets a first render be, which removes nothing', () => {
    expect(planFiles(files, { host: { version: '1.29' } }).stopped).toBe(false);
  });
});

describe('the guard of profiles that tenants of other packages run under', () => {
  const platform = (name: string): Files => ({ 'strict.yaml': profile(name), 'open.yaml': profile('open', 'baseline') });
  const old = previousOf(planFiles(platform('strict'), { allowEmpty: true }));
  const count = old.filter(
    ({ source }) => source.path.startsWith('platform/validatingadmissionpolic') && source.path.includes('_tenantplane-strict-'),
  ).length;

  it.each<[string, Files]>([
    ['renamed', platform('strict-v2')],
    ['taken out', { 'open.yaml': profile('open', 'baseline') }],
  ])('holds a profile that is %s where no tenant of the package ran under it', (_, files) => {
    const held = planFiles(files, { allowEmpty: true }, old);
    expect(count).toBeGreaterThan(10);
    expect(held.stopped).toBe(true);
    expect(errorsOf(held)).toEqual([
      expect.stringMatching(new RegExp(`^ProfilePoliciesHeld: IsolationProfile strict is defined no more, and its ${count} admission`)),
    ]);
    expect(planFiles(files, { allowEmpty: true, maxDeletions: count }, old).stopped).toBe(false);
  });

  it('says what a name that was mistyped once has left behind', () => {
    const mistyped = previousOf(planFiles(platform('strct'), { allowEmpty: true }));
    const held = planFiles(platform('strict'), { allowEmpty: true }, mistyped);
    expect(held.findings.find(({ reason }) => reason === 'ProfilePoliciesHeld')?.remedy).toBe(
      `If strct was a mistyped strict that no other package was rendered with, repeat with --max-deletions ${count} (config: maxDeletions): ` +
        'only what the mistake added is removed. Else keep strct until each tenant that names it has been rendered and applied with another one.',
    );
  });

  it('lets a profile be changed, and one go that the tenants of the package themselves have left', () => {
    expect(
      errorsOf(planFiles({ ...platform('strict'), 'strict.yaml': profile('strict', 'sandboxed') }, { allowEmpty: true }, old)),
    ).toEqual([]);
    const files = devPackage({});
    const renamed = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text.replaceAll('name: restricted', 'name: closed')]),
    );
    expect(errorsOf(planFiles(renamed, { maxDeletions: 60 }, previousOf(planFiles(files))))).toEqual([]);
  });
});

describe('the guards of a tree that stays', () => {
  it('parse nothing that was printed', () => {
    const files = devPackage({});
    const parsed: string[] = [];
    const printer: Printer = {
      print: YAML_PRINTER.print,
      parse(text) {
        parsed.push(text);
        return YAML_PRINTER.parse(text);
      },
    };
    const result = plan({ ...observe(files, {}, previousOf(planFiles(files))), printer });
    expect({ removed: result.removed, parsed }).toEqual({ removed: [], parsed: [] });
  });
});

describe('a version of the host', () => {
  it.each(['v1.27.3', '1.38', '1.99'])('of which nothing is known stops the render: %s', (version) => {
    const said = `is ${version}, of which nothing is known: this version knows 1.28 to 1.37.`;
    const config = planFiles(devPackage({}), { host: { version } });
    expect({ stopped: config.stopped, said: errorsOf(config).join() }).toEqual({ stopped: true, said: expect.stringContaining(said) });
    const known = planFiles({ ...devPackage({}), ...facts(version) });
    expect({ stopped: known.stopped, said: errorsOf(known).join() }).toEqual({ stopped: true, said: expect.stringContaining(said) });
  });

  it('of the config is taken in place of the facts', () => {
    expect(errorsOf(planFiles({ ...devPackage({}), ...facts('v1.38.0') }, { host: { version: '1.37' } }))).toEqual([]);
  });
});
