import { describe, expect, it } from 'vitest';
import { compareFields } from '../../../src/core/review/field-changes.ts';
import type { HostChange, Review } from '../../../src/core/review/review.ts';
import { ALL_KINDS, devPackage, type Files, policy, profile, tenant } from '../../support/observe.ts';
import { deployment, reviewFiles } from './reviews.ts';

const secret = (data: string): string => `apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: default}\nstringData: {${data}}\n`;
const PLAIN_SECRETS = { spec: '  secrets: {render: plain}\n' };
const HEAD_OBJECT = { apiVersion: 'v1', kind: 'Secret' };
const one = ({ changes }: Review): HostChange => {
  const [change] = changes;
  if (change === undefined || changes.length > 1) throw new Error(`${changes.length} changes`);
  return change;
};

describe('review', () => {
  it('is empty for the same input, however it is written and wherever it lies', () => {
    const before = devPackage({ 'web.yaml': deployment('web') });
    const after = devPackage({ 'apps/moved.yaml': `# moved\n${deployment('web').replace('cpu: 500m', 'cpu: "0.5"')}` });
    const result = reviewFiles(before, after);
    expect(result).toMatchObject({ causes: [], changes: [], refusals: [], isolation: [], frozen: [] });
    expect(result.unchanged).toBe(result.before.objects);
    expect(result.unchanged).toBeGreaterThan(5);
  });

  it('names the source of an edit, its field, and that pods restart', () => {
    const result = reviewFiles(
      devPackage({ 'web.yaml': deployment('web') }),
      devPackage({ 'web.yaml': deployment('web', 'registry.example/web:2') }),
    );
    const change = one(result);
    expect(change).toMatchObject({
      tenant: 'team-dev/dev',
      verb: 'changed',
      code: 'TP2001',
      causes: ['team-dev/dev:Deployment.apps/default/web'],
    });
    expect(change.effects).toEqual(['restarted']);
    expect(change.fields).toEqual([
      {
        pointer: '/spec/template/spec/containers/0/image',
        path: 'spec.template.spec.containers[app].image',
        op: 'Replace',
        before: 'registry.example/web:1',
        after: 'registry.example/web:2',
      },
    ]);
    expect(result.causes).toMatchObject([
      { id: change.causes[0], verb: 'changed', role: 'object', file: 'tenants/dev/objects/web.yaml', line: 1 },
    ]);
  });

  it('has a removal with the planner’s own decision, caused by the file that went', () => {
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old, namespace: default}\ndata: {a: b}\n';
    const result = reviewFiles(
      devPackage({ 'web.yaml': deployment('web'), 'old.yaml': config }),
      devPackage({ 'web.yaml': deployment('web') }),
    );
    expect(one(result)).toMatchObject({
      verb: 'removed',
      code: 'TP5001',
      effects: ['deleted'],
      causes: ['team-dev/dev:ConfigMap/default/old'],
      source: { file: 'tenants/dev/objects/old.yaml' },
    });
    expect(result.causes).toMatchObject([{ verb: 'removed', file: 'tenants/dev/objects/old.yaml', fields: [] }]);
  });

  it('tells keys of Secrets, never a value', () => {
    const result = reviewFiles(
      devPackage({ 's.yaml': secret('user: canary-one, gone: canary-two') }, PLAIN_SECRETS),
      devPackage({ 's.yaml': secret('user: canary-three, fresh: canary-four') }, PLAIN_SECRETS),
    );
    expect(one(result).fields.map(({ path, op, hidden }) => [path, op, hidden])).toEqual([
      ['stringData.user', 'Replace', true],
      ['stringData.gone', 'Remove', true],
      ['stringData.fresh', 'Add', true],
    ]);
    const text = JSON.stringify(result);
    for (const value of ['canary-one', 'canary-two', 'canary-three', 'canary-four']) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(Buffer.from(value).toString('base64'));
    }
  });

  const HEAD = 'apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: default}\n';
  const external = (spec: string): string =>
    `apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: db, namespace: default}\n${spec}`;
  it.each([
    ['a value at the top', (value: string) => `${HEAD}value: ${value}\n`, ['value']],
    ['a password at the top', (value: string) => `${HEAD}password: ${value}\n`, ['password']],
    ['a map at the top', (value: string) => `${HEAD}auth: {${value}: ${value}}\n`, ['auth']],
    ['data in another case', (value: string) => `${HEAD}Data: {user: ${value}}\n`, ['Data']],
    ['data as a list', (value: string) => `${HEAD}data: [${value}]\n`, ['data']],
    ['keys below keys', (value: string) => `${HEAD}stringData: {user: {${value}: a}}\n`, ['stringData.user']],
    ['a map as a type', (value: string) => `${HEAD}type: {a: ${value}}\n`, ['type']],
    ['a label', (value: string) => `${HEAD.replace('}', `, labels: {app: ${value}}}`)}`, ['metadata.labels.app']],
    ['an annotation', (value: string) => `${HEAD.replace('}', `, annotations: {app: ${value}}}`)}`, ['metadata.annotations.app']],
    ['a field of the metadata', (value: string) => `${HEAD.replace('}', `, password: ${value}}`)}`, ['metadata.password']],
    ['a spec', (value: string) => `${HEAD}spec: {data: {user: ${value}}}\n`, ['spec']],
    ['a kind in another case', (value: string) => `${HEAD.replace('Secret', 'SECRET')}value: ${value}\n`, ['value']],
    ['the metadata of a sort of Secret', (value: string) => external('').replace(/metadata: .*/, `metadata: [${value}]`), ['metadata[0]']],
    ['a sort of Secret', (value: string) => external(`password: ${value}\n`), ['password']],
  ] as const)('tells no value of a malformed Secret: %s', (_, file, paths) => {
    const files = (text: string): ReturnType<typeof devPackage> => devPackage({ 's.yaml': text }, PLAIN_SECRETS);
    const result = reviewFiles(files(file('canary-one')), files(file('canary-two')));
    const own = result.causes.find(({ role }) => role === 'object');
    expect(own?.fields.map(({ path, hidden }) => [path, hidden])).toEqual(paths.map((path) => [path, true]));
    expect(JSON.stringify(result)).not.toContain('canary');
    // and where it was not there at all
    const added = reviewFiles(files(HEAD), files(file('canary-one')));
    expect(JSON.stringify(added.causes)).not.toContain('canary');
  });

  it('tells no metadata of a Secret that is a list', () => {
    const text = (value: string): string => `apiVersion: v1\nkind: Secret\nmetadata: [${value}]\n`;
    const [before, after] = [
      { ...HEAD_OBJECT, metadata: ['canary-one'] },
      { ...HEAD_OBJECT, metadata: ['canary-two', { a: 'canary' }] },
    ];
    expect(compareFields(before, after).map(({ path, hidden }) => [path, hidden])).toEqual([['metadata', true]]);
    expect(compareFields({ ...HEAD_OBJECT, metadata: { name: 'db' } }, after).map(({ path, hidden }) => [path, hidden])).toEqual([
      ['metadata', true],
    ]);
    const result = reviewFiles(devPackage({ 's.yaml': text('canary-one') }), devPackage({ 's.yaml': text('canary-two') }));
    expect(JSON.stringify(result.causes)).not.toContain('canary');
  });

  it('tells what a Secret is and where it belongs', () => {
    const [before, after] = [
      { ...HEAD_OBJECT, type: 'Opaque', metadata: { name: 'a', namespace: 'b' } },
      { ...HEAD_OBJECT, type: 'kubernetes.io/tls', immutable: true, metadata: { name: 'a', namespace: 'c' } },
    ];
    expect(compareFields(before, after).map(({ path, before, after }) => [path, before, after])).toEqual([
      ['type', 'Opaque', 'kubernetes.io/tls'],
      ['metadata.namespace', 'b', 'c'],
      ['immutable', undefined, true],
    ]);
    const [short, long] = [external('spec: {refreshInterval: 1h}\n'), external('spec: {refreshInterval: 2h}\n')];
    expect(reviewFiles(devPackage({ 's.yaml': short }), devPackage({ 's.yaml': long })).causes[0]?.fields).toMatchObject([
      { path: 'spec.refreshInterval', before: '1h', after: '2h' },
    ]);
  });

  it('says which way isolation went, by which field, on which objects', () => {
    const strict = devPackage({ 'web.yaml': deployment('web') });
    const open = devPackage(
      { 'web.yaml': deployment('web') },
      { profile: profile('restricted', 'restricted', '  controls: {defaultDenyNetworkPolicy: false}\n') },
    );
    const weaker = reviewFiles(strict, open);
    expect(weaker.isolation).toMatchObject([
      {
        tenant: 'team-dev/dev',
        control: 'controls.defaultDenyNetworkPolicy',
        before: 'true',
        after: 'not declared',
        direction: 'weaker',
        causes: ['IsolationProfile/restricted'],
      },
    ]);
    expect(weaker.changes.filter(({ effects }) => effects.includes('isolation-weaker')).length).toBeGreaterThan(0);
    expect(reviewFiles(open, strict).isolation).toMatchObject([{ direction: 'stronger' }]);
  });

  it('finds a profile’s own openings that no control row names', () => {
    const open = profile('restricted', 'restricted', '  allow: {gatewayNamespaces: [ingress]}\n');
    expect(reviewFiles(devPackage({}), devPackage({}, { profile: open })).isolation).toMatchObject([
      { control: 'allow.gatewayNamespaces', before: 'none', after: 'ingress', direction: 'weaker' },
    ]);
  });

  it('has new refusals with their remedy, and the removal that they bring', () => {
    const root = deployment('web').replace('runAsNonRoot: true', 'runAsNonRoot: false');
    const result = reviewFiles(devPackage({ 'web.yaml': deployment('web') }), devPackage({ 'web.yaml': root }));
    expect(result.refusals).toMatchObject([
      { verb: 'added', code: 'TP3003', subject: { kind: 'Deployment', name: 'web' }, causes: ['team-dev/dev:Deployment.apps/default/web'] },
    ]);
    expect(result.refusals[0]?.remedy).not.toBe('');
    expect(result.changes.filter(({ verb }) => verb === 'removed')).toMatchObject([
      { code: 'TP5002', causes: ['team-dev/dev:Deployment.apps/default/web'] },
    ]);
  });

  it('keeps what stood of a tenant that is frozen, and says why', () => {
    const before = devPackage({ 'web.yaml': deployment('web') });
    const result = reviewFiles(before, { ...before, 'tenants/dev/objects/bad.yaml': 'a: [' });
    expect(result.changes).toEqual([]);
    expect(result.frozen).toMatchObject([{ tenant: 'team-dev/dev' }]);
    expect(result.causes).toMatchObject([{ id: 'file:tenants/dev/objects/bad.yaml', role: 'object', tenant: 'team-dev/dev' }]);
  });

  describe('of a tenant that is frozen', () => {
    const SNIFF = `apiVersion: v1\nkind: Pod\nmetadata: {name: sniff}\nspec: {hostNetwork: true, containers: [{name: a, image: a}]}\n`;
    const LEASE = 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: turn}\n';
    const illegal = (files: Files): Files =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace('level: restricted', 'level: odd')]));
    const base = devPackage({ 'sniff.yaml': SNIFF, 'lease.yaml': LEASE });
    const said = (before: Files, after: Files): unknown[] => {
      const { refusals, outOfScope } = reviewFiles(before, after);
      return [
        // a profile that is not legal is one itself
        ...refusals.filter(({ subject }) => subject.kind === 'Pod').map(({ verb, subject, code }) => `${verb} ${subject.name} ${code}`),
        ...outOfScope.map(({ subject }) => subject.name),
      ];
    };
    const without = (file: string): Files => Object.fromEntries(Object.entries(base).filter(([path]) => !path.endsWith(file)));

    it.each([
      ['its profile', illegal],
      ['a file that cannot be read', (files: Files) => ({ ...files, 'tenants/dev/objects/sniff.yaml': `${SNIFF}a: [\n` })],
    ])('by %s, that no object is refused any more is not claimed, nor that one is refused anew', (_, spoil) => {
      expect(said(base, spoil(base))).toEqual([]);
      expect(said(spoil(base), spoil(base))).toEqual([]);
    });

    it('thawing it is no refusal of what waited, and the same of a tenant that is not frozen is told', () => {
      const frozen = illegal(base);
      expect(said(frozen, base)).toEqual([]);
      expect(said(without('lease.yaml'), base)).toEqual(['turn']);
      expect(said(base, without('sniff.yaml'))).toEqual(expect.arrayContaining([expect.stringMatching(/^removed sniff TP30/)]));
      expect(said(without('sniff.yaml'), base)).toEqual(expect.arrayContaining([expect.stringMatching(/^added sniff TP30/)]));
      expect(said(illegal(without('sniff.yaml')), base)).toEqual(expect.arrayContaining([expect.stringMatching(/^added sniff TP30/)]));
    });
  });

  it('takes a fact of the host as the cause of what it changes', () => {
    const files = devPackage({ 'web.yaml': deployment('web') });
    const result = reviewFiles(files, files, { before: { host: { version: '1.34' } }, after: { host: { version: '1.29' } } });
    expect(result.causes).toMatchObject([{ id: 'RenderTenant', role: 'config', fields: [{ path: 'spec.host.version' }] }]);
    expect(result.changes.length).toBeGreaterThan(0);
    expect(new Set(result.changes.flatMap(({ causes }) => causes))).toEqual(new Set(['RenderTenant']));
  });

  it('tells edits of configuration from edits of objects, also for what is made of both', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: default}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
    const before = devPackage({ 'web.yaml': deployment('web') });
    const after = devPackage(
      { 'web.yaml': deployment('web', 'registry.example/web:2'), 'service.yaml': service },
      { profile: profile('restricted', 'sandboxed') },
    );
    const causesOf = (kind: string, name: string): readonly string[] | undefined =>
      reviewFiles(before, after).changes.find(({ host }) => host.kind === kind && host.name === name)?.causes;
    const object = (id: string): string => `team-dev/dev:${id}/default/web`;
    // the short name comes with the Service, whatever else was edited
    expect(causesOf('Service', 'web')).toEqual([object('Service')]);
    expect(causesOf('Service', 'web-x-default-x-dev')).toEqual([object('Service')]);
    expect(causesOf('FlowSchema', 'tenantplane-team-dev')).toEqual(['IsolationProfile/restricted']);
    expect(causesOf('LimitRange', 'tenantplane-defaults')).toEqual(['IsolationProfile/restricted']);
    expect([...(causesOf('Deployment', 'web-x-default-x-dev') ?? [])].sort()).toEqual([
      'IsolationProfile/restricted',
      object('Deployment.apps'),
    ]);
  });

  it('never names a profile that a tenant has not, and has what left the policy by the policy alone', () => {
    const set = deployment('db').replace('Deployment', 'StatefulSet').replace('  replicas: 2\n', '  replicas: 2\n  serviceName: db\n');
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: default}\nspec: {clusterIP: None, selector: {app: db}, ports: [{port: 80}]}\n';
    const budget =
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: db, namespace: default}\nspec: {minAvailable: 1, selector: {matchLabels: {app: db}}}\n';
    const files = (level: string, kinds: readonly string[]): Files => ({
      ...devPackage({ 'db.yaml': set, 'service.yaml': service, 'budget.yaml': budget }),
      'platform/profile.yaml': profile('restricted', level),
      'platform/other.yaml': profile('other', 'restricted'),
      'platform/policy.yaml': policy(kinds),
      'tenants/qa/tenant.yaml': tenant('qa', { profile: 'other' }),
      'tenants/qa/objects/db.yaml': set,
      'tenants/qa/objects/service.yaml': service,
      'tenants/qa/objects/budget.yaml': budget,
    });
    const without = ALL_KINDS.filter((kind) => kind !== 'apps/v1/StatefulSet');
    const { changes, refusals, isolation } = reviewFiles(files('restricted', ALL_KINDS), files('sandboxed', without));
    const removed = changes.filter(({ host, verb }) => host.kind === 'StatefulSet' && verb === 'removed');
    expect(removed.map(({ tenant: of, causes }) => [of, causes])).toEqual([
      ['team-dev/dev', ['SyncPolicy/default']],
      ['team-qa/qa', ['SyncPolicy/default']],
    ]);
    const ofOther = [...changes, ...refusals, ...isolation].filter(({ tenant: of }) => of === 'team-qa/qa');
    expect(new Set(ofOther.flatMap(({ causes }) => causes))).toEqual(new Set(['SyncPolicy/default']));
  });
});
