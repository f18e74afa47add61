import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM, type Result, tenantplane, tenantYaml } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

const LISTED = ['apps/v1/Deployment', 'apps/v1/StatefulSet', 'batch/v1/Job', 'batch/v1/CronJob', 'cert-manager.io/v1/Certificate'];
const POLICY = `${PLATFORM.replace('level: restricted', 'level: baseline')}${LISTED.map((kind) => {
  const slash = kind.lastIndexOf('/');
  return `  - {apiVersion: ${kind.slice(0, slash)}, kind: ${kind.slice(slash + 1)}, direction: toHost${kind.startsWith('cert') ? ', scope: Namespaced' : ''}}\n`;
}).join('')}`;
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: certificates.cert-manager.io}
spec:
  group: cert-manager.io
  names: {kind: Certificate, plural: certificates, singular: certificate, shortNames: [cert, certs]}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

const POD =
  '{metadata: {labels: {app: x}}, spec: {containers: [{name: app, image: "registry.example.com/app:1", resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {memory: 16Mi}}}]}}';
const OBJECTS = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {selector: {matchLabels: {app: x}}, template: ${POD}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: web, selector: {matchLabels: {app: x}}, template: ${POD}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec: {schedule: "0 4 * * *", jobTemplate: {spec: {template: ${POD.replace('spec: {', 'spec: {restartPolicy: Never, ')}}}}
---
apiVersion: v1
kind: Service
metadata: {name: front}
spec: {selector: {app: x}, ports: [{port: 80}]}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: tls}
spec: {secretName: tls}
`;

/** What people copy from kubectl, and what it is about. */
const REFERENCES: readonly (readonly [words: readonly string[], subject: string])[] = [
  [['deploy/web'], 'Deployment web'],
  [['deployment/web'], 'Deployment web'],
  [['deployments/web'], 'Deployment web'],
  [['deployment.apps/web'], 'Deployment web'],
  [['deployments.apps/web'], 'Deployment web'],
  [['deployments.v1.apps/web'], 'Deployment web'],
  [['apps/v1/deployments/web'], 'Deployment web'],
  [['deployments', 'web'], 'Deployment web'],
  [['sts/db'], 'StatefulSet db'],
  [['pod/db-0'], 'StatefulSet db'],
  [['pods', 'web-6d5f9c7b8-x2x4z'], 'Deployment web'],
  [['po/web-6d5f9c7b8-x2x4z'], 'Deployment web'],
  [['replicaset.apps/web-6d5f9c7b8'], 'Deployment web'],
  [['pod/nightly-28912345-k7s8x'], 'CronJob nightly'],
  [['job.batch/nightly-28912345'], 'CronJob nightly'],
  [['svc/front'], 'Service front'],
  [['services', 'front'], 'Service front'],
  [['cert/tls'], 'Certificate tls'],
  [['certificates.cert-manager.io/tls'], 'Certificate tls'],
  [['certificate.v1.cert-manager.io/tls'], 'Certificate tls'],
];

/** How our own answers print an object, and what else people try with a namespace. */
const PRINTED: readonly (readonly [words: readonly string[], subject: string])[] = [
  [['Deployment', 'default/web'], 'Deployment web'],
  [['Deployment default/web'], 'Deployment web'],
  [['deploy', 'default/web'], 'Deployment web'],
  [['apps/v1/Deployment', 'default/web'], 'Deployment web'],
  [['default/deployment/web'], 'Deployment web'],
  [['default/apps/v1/Deployment/web'], 'Deployment web'],
  [['dev:default/deployment/web'], 'Deployment web'],
  [['team-dev/dev:default/deployment/web'], 'Deployment web'],
  [['dev:deploy/web'], 'Deployment web'],
  [['Deployment/default/web'], 'Deployment web'],
  [['default/web'], 'Deployment web'],
  [['Deployment', 'default/web', 'of', 'tenant', 'team-dev/dev'], 'Deployment web'],
  [['Deployment default/web of tenant team-dev/dev'], 'Deployment web'],
  [['Certificate', 'default/tls'], 'Certificate tls'],
  [['default/certificate/tls'], 'Certificate tls'],
  [['pod', 'default/db-0'], 'StatefulSet db'],
];

let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tenantplane-'));
  put(root, {
    'platform.yaml': POLICY,
    'crds/certificates.yaml': CRD,
    'tenants/dev/tenant.yaml': tenantYaml('dev'),
    'tenants/dev/objects/all.yaml': OBJECTS,
  });
  await tenantplane(['render', '-q', root]);
}, 60_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function ask(command: string, ...words: string[]): Promise<Result> {
  return tenantplane([command, ...words], { cwd: root });
}

interface Named {
  readonly kind: string;
  readonly name: string;
}

describe('a reference as kubectl prints it', () => {
  test.each(REFERENCES)('why, why-not, graph: %j', async (words, subject) => {
    const sources: string[] = [];
    for (const command of ['why', 'why-not']) {
      const { code, out } = await ask(command, ...words, '--tenant', 'dev', '-o', 'json');
      expect(code).toBe(0);
      const { subjects } = JSON.parse(out) as { subjects: { decision: { source: Named } }[] };
      sources.push(...subjects.map(({ decision: { source } }) => `${source.kind} ${source.name}`));
    }
    expect(sources).toEqual([subject, subject]);
    const [kind, name] = subject.split(' ');
    expect((await ask('graph', ...words, '--tenant', 'dev')).out).toContain(`${kind} default/${name} -> ${kind} team-dev/`);
  });

  test.each(REFERENCES)('explain-sync: %j', async (words, subject) => {
    const { code, out } = await ask('explain-sync', ...words, '--tenant', 'dev', '-o', 'json');
    expect(code).toBe(0);
    const { tenantResource } = JSON.parse(out) as { tenantResource: Named };
    expect(`${tenantResource.kind} ${tenantResource.name}`).toBe(subject);
  });

  test.each(REFERENCES.filter(([, subject]) => !subject.startsWith('Certificate') && !subject.startsWith('Service')))(
    'reach: %j',
    async (words, subject) => {
      const { code, out } = await ask('reach', ...words, 'internet', '-o', 'json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ from: `dev:default/${subject.toLowerCase().replace(' ', '/')}` });
    },
  );

  test.each(PRINTED)('why, why-not, graph, as answers print it: %j', async (words, subject) => {
    for (const command of ['why', 'why-not']) {
      for (const more of [[], ['--tenant', 'dev']]) {
        const { out, err } = await ask(command, ...words, ...more, '-o', 'json');
        expect(err).not.toContain('error');
        const { subjects } = JSON.parse(out) as { subjects: { decision: { source: Named } }[] };
        expect(subjects.map(({ decision: { source } }) => `${source.kind} ${source.name}`)).toEqual([subject]);
      }
    }
    expect((await ask('graph', ...words)).out).toContain(`${subject.replace(' ', ' default/')} -> `);
  });

  test.each(PRINTED)('explain-sync, as answers print it: %j', async (words, subject) => {
    const { err, out } = await ask('explain-sync', ...words, '-o', 'json');
    expect(err).not.toContain('error');
    const { tenantResource } = JSON.parse(out) as { tenantResource: Named };
    expect(`${tenantResource.kind} ${tenantResource.name}`).toBe(subject);
  });

  test.each([
    [['Deployment', 'default/web', 'internet']],
    [['internet', 'to', 'StatefulSet', 'default/db']],
    [['dev:default/deployment/web']],
  ])('reach, as answers print it: %j', async (words) => {
    expect((await ask('reach', ...words)).out).toMatch(/dev:default\/(deployment\/web|statefulset\/db)/);
  });

  test.each([
    ['Deployment', 'team-dev/web-x-default-x-dev'],
    ['team-dev/web-x-default-x-dev'],
    ['team-dev/deployment/web-x-default-x-dev'],
    ['deploy/team-dev/web-x-default-x-dev'],
    ['pod', 'team-dev/web-x-default-x-dev-6d5f9c7b8-x2x4z'],
  ])('an object of the host, as answers print it: %s %s', async (...words) => {
    const { out } = await ask('why', ...words.filter((word) => typeof word === 'string'));
    expect(out).toContain('Deployment team-dev/web-x-default-x-dev\n');
    expect(out).toContain('source   Deployment default/web of tenant team-dev/dev');
  });

  test.each([
    ['SyncPolicy/default[apps/v1/Deployment]'],
    ['IsolationProfile/restricted#apiFairness'],
    ['TenantCluster/dev#networking.dns'],
  ])('a rule, as answers print it, is the object that holds it: %s', async (word) => {
    expect((await ask('why', word)).out).toContain(word.replace(/[#[].*/, '').split('/')[0]);
  });

  test.each([
    [['deploymnt/web'], 'Did you mean Deployment?'],
    [['nowhere/web'], 'The kind nowhere is not in the table'],
    [['deploy/web', '-n', 'a', '--virtual-namespace', 'a', 'svc/front'], 'more than one object'],
    [['Deployment', 'default/web', '-n', 'team-dev'], 'Two namespaces are named: team-dev and default.'],
    [['dev:deploy/web', '--tenant', 'qa'], 'The package has no tenant qa.'],
  ])('what is wrong is said: %j', async (words, message) => {
    expect(await ask('why', ...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test('two objects in two words each are two ends', async () => {
    const { code, out } = await ask('reach', 'pod', 'db-0', 'svc', 'front', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ from: 'dev:default/statefulset/db', to: 'dev:default/service/front' });
  });

  test('a pod of the host leads to what makes it, and says so', async () => {
    const pod = 'pod/web-x-default-x-dev-6d5f9c7b8-x2x4z';
    const { code, out, err } = await ask('why', pod, '-n', 'team-dev');
    expect([code, err]).toEqual([
      0,
      'note: Pod web-x-default-x-dev-6d5f9c7b8-x2x4z is in no file; Deployment team-dev/web-x-default-x-dev makes it.\n',
    ]);
    expect(out).toMatch(/^Deployment team-dev\/web-x-default-x-dev\n/);
    expect((await ask('why', pod)).out).toBe(out);
    expect((await ask('reach', pod, 'internet')).out).toMatch(/^dev:default\/deployment\/web -> internet/);
    const explained = await ask('explain-sync', pod, '--tenant', 'dev');
    expect(explained.err).toContain('Deployment default/web of tenant team-dev/dev');
    expect((await ask('why', pod, '-q')).err).toBe('');
  });

  test('makers of several tenants are told with their tenant, each once', async () => {
    const refused = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: 1}\n';
    const own = (name: string): Record<string, string> => ({
      [`tenants/${name}/tenant.yaml`]: tenantYaml(name),
      [`tenants/${name}/objects/a.yaml`]: refused,
    });
    const cwd = scratch();
    put(cwd, { 'platform.yaml': POLICY, ...own('dev'), ...own('qa') });
    const { err } = await tenantplane(['why', 'pod/web-6d5f9c7b8-x2x4z'], { cwd });
    expect(err).toBe(
      'note: Pod web-6d5f9c7b8-x2x4z is in no file; one of these makes it: Deployment default/web of tenant team-dev/dev, Deployment default/web of tenant team-qa/qa.\n',
    );
  });

  describe('of several that may have made it', () => {
    const kind = (name: string, apiVersion: string, metadata: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${name}\nmetadata: {name: ${metadata}}\n`;
    const selected = `spec: {selector: {matchLabels: {app: x}}, template: ${POD}}\n`;
    const job = (name: string, more = ''): string =>
      `${kind('Job', 'batch/v1', name)}spec: {${more}template: ${POD.replace('spec: {', 'spec: {restartPolicy: Never, ')}}\n`;
    const subjects = async (pod: string, ...words: string[]): Promise<string[]> => {
      const { out } = await tenantplane(['why', pod, ...words, '-o', 'json'], { cwd: several });
      const found: { decision: { tenant: { name: string }; source: Named } }[] = JSON.parse(out).subjects;
      return found.map(({ decision: { tenant, source } }) => `${tenant.name}: ${source.kind} ${source.name}`).sort();
    };
    let several: string;
    beforeAll(async () => {
      several = mkdtempSync(join(tmpdir(), 'tenantplane-'));
      const replicas = kind('ReplicaSet', 'apps/v1', 'web-77777') + selected;
      put(several, {
        'platform.yaml': POLICY,
        'tenants/dev/tenant.yaml': tenantYaml('dev'),
        'tenants/dev/objects/web.yaml': kind('Deployment', 'apps/v1', 'web') + selected,
        'tenants/dev/objects/replicas.yaml': replicas,
        'tenants/dev/objects/jobs.yaml': `${job('rep', 'completions: 3, completionMode: Indexed, ')}---\n${job('rep-2')}`,
        'tenants/ops/tenant.yaml': tenantYaml('ops'),
        'tenants/ops/objects/replicas.yaml': replicas,
      });
      await tenantplane(['render', '-q', several]);
    }, 60_000);
    afterAll(() => rmSync(several, { recursive: true, force: true }));

    test('one that is not on the host gives way to one that is, and each tenant has its own', async () => {
      expect(await subjects('pod/web-77777-bcdfg')).toEqual(['dev: Deployment web', 'ops: ReplicaSet web-77777']);
      expect(await subjects('pod/web-77777-bcdfg', '--tenant', 'ops')).toEqual(['ops: ReplicaSet web-77777']);
      const { err } = await tenantplane(['why', 'pod/web-77777-bcdfg'], { cwd: several });
      expect(err).toBe(
        'note: Pod web-77777-bcdfg is in no file; one of these makes it: Deployment team-dev/web-x-default-x-dev, ReplicaSet default/web-77777 of tenant team-ops/ops.\n',
      );
    });

    test('an index of one Job may be a part of the name of another', async () => {
      expect(await subjects('pod/rep-2-bcdfg')).toEqual(['dev: Job rep', 'dev: Job rep-2']);
      expect(await subjects('pod/rep-2-3-bcdfg')).toEqual(['dev: Job rep-2']);
    });
  });

  test('no pod is made up of a name that only looks alike', async () => {
    const { code, err } = await ask('why', 'pod/web-canary-x2x4z', '--tenant', 'dev');
    expect(code).toBe(2);
    expect(err).toContain('Nothing in the package is called Pod web-canary-x2x4z');
  });
});

describe('what is near', () => {
  test.each([
    ['why', ['deploymnt/web', '--tenant', 'dev'], 'Did you mean Deployment?'],
    ['why', ['deploymnts.apps/web', '--tenant', 'dev'], 'Did you mean deployments?'],
    ['explain-sync', ['--kind', 'cetificate', '--name', 'tls', '--tenant', 'dev'], 'Did you mean Certificate?'],
    ['why', ['deploy/front', '--tenant', 'dev'], 'Did you mean service/front -n default?'],
    ['graph', ['deploy/front', '--tenant', 'dev'], 'Did you mean service/front -n default?'],
    ['reach', ['deploy/front', 'internet'], 'Did you mean dev:default/service/front?'],
    ['reach', ['deploymnt/web', 'internet'], 'Did you mean Deployment?'],
  ])('%s %j', async (command, words, hint) => {
    const { code, err } = await ask(command, ...words);
    expect(code).toBe(2);
    expect(err).toContain(hint);
  });
});

describe('an item of a list', () => {
  test.each(['v1/Service', 'Service', 'kind=Service', '2'])('spec.resources[%s] is the entry', async (item) => {
    const { code, out, err } = await ask('what-if', '--set', `SyncPolicy/default:-spec.resources[${item}]`, '-o', 'json');
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('front');
    const { code: none } = await ask('what-if', '--set', `SyncPolicy/default:spec.resources[${item}].direction=toHost`);
    expect(none).toBe(0);
  });

  test.each([
    ['v1/Servic', 'spec.resources has no item v1/Servic.', 'It has v1/ConfigMap, v1/Secret, v1/Service, v1/Pod,'],
    ['direction=toHost', 'spec.resources has several items direction=toHost.', 'It has v1/ConfigMap'],
  ])('spec.resources[%s] is none', async (item, message, hint) => {
    const { code, err } = await ask('what-if', '--set', `SyncPolicy/default:spec.resources[${item}].direction=toHost`);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });
});
