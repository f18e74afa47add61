import { describe, expect, it } from 'vitest';
import { podChecks } from '../../../src/core/checks/pod-checks.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { dotted } from '../../../src/core/kube/pointer.ts';
import { KIND_TRANSLATIONS } from '../../../src/core/translate/kinds/table.ts';
import { WORKLOAD_TRANSLATIONS } from '../../../src/core/translate/workloads/table.ts';
import { REFUSED_OBJECTS } from '../../support/refused-objects.ts';
import { testContext, testSubject } from '../context.ts';
import { container, podSpec, refusalsOf, workload } from '../pods.ts';

const ctx = testContext({
  tenant: { renderSecrets: 'plain', ingressHostSuffixes: ['dev.example.com'] },
  allow: { ingressClasses: ['nginx'] },
});

function malformed(object: JsonObject): string[] {
  const subject = testSubject(object);
  const kind = [...WORKLOAD_TRANSLATIONS, ...KIND_TRANSLATIONS].find(({ key }) => key === subject.key);
  const checks = [...podChecks, ...(kind?.checks ?? [])];
  return checks
    .flatMap((check) => check.run(subject, ctx) ?? [])
    .filter(({ reason }) => reason === 'ObjectMalformed')
    .map(({ params, path }) => params['pointer'] ?? dotted(path ?? []));
}

describe('what the API server surely refuses is refused by its field (test/e2e/isolation asks the API server):', () => {
  it.each(REFUSED_OBJECTS)('$what', ({ object, legal, pointer }) => {
    expect(malformed(legal)).toEqual([]);
    expect(malformed(object)).toEqual([pointer]);
  });
});

describe('what no message shows', () => {
  it.each([
    [{ stringData: { '.dockerconfigjson': 'hunter2' } }],
    [{ data: { '.dockerconfigjson': 'aHVudGVyMg==' } }],
    [{ stringData: { '.dockerconfigjson': '{"auths": hunter2}' }, data: { '.dockerconfigjson': 'e30=' } }],
  ])('the value of a Secret, %j', (fields) => {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull' }, type: 'kubernetes.io/dockerconfigjson', ...fields };
    const subject = testSubject(object);
    const secret = KIND_TRANSLATIONS.find(({ key }) => key === 'Secret');
    const refusals = (secret?.checks ?? []).flatMap((check) => check.run(subject, ctx) ?? []);
    expect(refusals).toMatchObject([{ reason: 'ObjectMalformed', params: { found: 'no JSON' } }]);
    expect(JSON.stringify(refusals)).not.toMatch(/hunter2|aHVudGVyMg/);
  });
});

describe('the name of a claim template', () => {
  it('is one that volumes and claims can have: the server takes any, and no pod would ever be made', () => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const set = (name: string): readonly (string | undefined)[] => {
      const object = workload('StatefulSet', podSpec({}));
      const spec = { ...Object(object['spec']), volumeClaimTemplates: [{ metadata: { name }, spec: claim }] };
      return malformed({ ...object, spec });
    };
    expect(set('data')).toEqual([]);
    expect(set('Data')).toEqual(['spec.volumeClaimTemplates[0].metadata.name']);
    expect(set('my_data')).toEqual(['spec.volumeClaimTemplates[0].metadata.name']);
  });
});

describe('an image with white space around it', () => {
  it.each(['containers', 'initContainers', 'ephemeralContainers'])(
    'is refused in %s of a template, which no pod could be made of',
    (list) => {
      const spec = podSpec({ [list]: [container({ name: 'other', image: 'app:1 ' })] });
      const [first] = refusalsOf(workload('Deployment', spec), ctx);
      expect(first?.params).toEqual({
        pointer: `spec.template.spec.${list}[0].image`,
        found: '"app:1 "',
        wanted: 'a name without white space around it',
      });
      expect(first?.remedy).toBe('Take the white space away; the API server would refuse every pod.');
    },
  );
});
