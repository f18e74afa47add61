import { describe, expect, it } from 'vitest';
import { FIELD_TYPES } from '../../../../src/core/checks/field-types.ts';
import { at, isObject, type Json, type JsonObject } from '../../../../src/core/kube/json.ts';
import { POD_REFERENCES } from '../../../../src/core/translate/pod/references.ts';
import { testContext } from '../../context.ts';
import { container, pod, podSpec, render, renderUnchecked, WORKLOADS, workload } from '../../pods.ts';

const ctx = testContext({ allow: { daemonSets: true } });

/** An object with `leaf` at a path of the table. */
function along(path: string, leaf: Json): JsonObject {
  const [head = '', ...rest] = path.split('.');
  const inner: Json = rest.length === 0 ? leaf : along(rest.join('.'), leaf);
  return head.endsWith('[*]') ? { [head.slice(0, -3)]: [inner] } : { [head]: inner };
}

function strings(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return isObject(value) ? Object.values(value).flatMap(strings) : [];
}

describe('the table of references', () => {
  for (const { path, kind } of POD_REFERENCES)
    it(`rewrites ${path}`, () => {
      const { spec, edit } = renderUnchecked(pod(along(path, 'raw-name')), ctx);
      const host = kind === 'PersistentVolumeClaim' ? ctx.claimName('default', 'raw-name') : ctx.hostName(kind, 'default', 'raw-name').name;
      expect(strings(spec)).toContain(host);
      expect(strings(spec)).not.toContain('raw-name');
      expect(edit.references).toEqual([
        { path: expect.any(Array), targetKind: kind, name: 'raw-name', virtualNamespace: 'default', optional: false },
      ]);
    });

  it('holds every field of an allowed pod spec that names an object of its namespace', () => {
    // From the types themselves: a field that names another object is a *Ref to it, or ends in Name, or is one of these.
    const types = new Map<string, [string, string][]>();
    let current: [string, string][] = [];
    for (const line of FIELD_TYPES.split('\n')) {
      if (line.startsWith(' '))
        current.push(
          ...line
            .trim()
            .split(' ')
            .map((entry): [string, string] => [entry.split(':')[0] ?? '', entry.split(':')[1] ?? '']),
        );
      else {
        current = [];
        types.set(line, current);
      }
    }
    const found = new Set<string>();
    const visit = (type: string, path: string): void => {
      for (const [field, fieldType] of types.get(type) ?? []) {
        const list = fieldType.endsWith('[]');
        const base = list ? fieldType.slice(0, -2) : fieldType;
        const at = path === '' ? field : `${path}.${field}`;
        const names =
          field === 'secretName' ||
          field === 'claimName' ||
          (field === 'name' && /Ref\.|(configMap|secret|imagePullSecrets\[\*\])\.name$/.test(at.replace(/\.name$/, '.name')));
        if (base === 'string' && names && !/dataSource|fileKeyRef/.test(at)) found.add(at);
        if (types.has(base)) visit(base, list ? `${at}[*]` : at);
      }
    };
    visit('PodSpec', '');
    const table = new Set(POD_REFERENCES.map((row) => row.path));
    const missing = [...found].filter((path) => !table.has(path) && !path.startsWith('ephemeralContainers'));
    expect(missing.filter((path) => !/dataSourceRef/.test(path))).toEqual([]);
    expect(found.size).toBeGreaterThan(12);
  });
});

describe('a reference', () => {
  const config = { envFrom: [{ configMapRef: { name: 'cfg' } }, { secretRef: { name: 'sec', optional: true }, prefix: 'S_' }] };

  it('is rewritten in env, envFrom, volumes, projected volumes and init containers, in every kind with a template', () => {
    const spec = podSpec({
      containers: [container({ ...config, env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'cfg', key: 'a' } } }] })],
      initContainers: [container({ name: 'init', env: [{ name: 'B', valueFrom: { secretKeyRef: { name: 'sec', key: 'b' } } }] })],
      volumes: [
        { name: 'a', configMap: { name: 'cfg', items: [{ key: 'k', path: 'p' }], defaultMode: 420 } },
        { name: 'b', projected: { sources: [{ secret: { name: 'sec' } }, { configMap: { name: 'cfg', optional: true } }] } },
        { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
      ],
      imagePullSecrets: [{ name: 'registry' }],
    });
    for (const kind of [...WORKLOADS, 'Pod']) {
      const rendered = render(kind === 'Pod' ? pod(spec) : workload(kind, spec), ctx);
      const text = strings(rendered.spec);
      for (const raw of ['cfg', 'sec', 'data', 'registry']) expect({ kind, raw: text.includes(raw) }).toEqual({ kind, raw: false });
      expect(text.filter((item) => item === 'cfg-x-default-x-dev')).toHaveLength(4);
      expect(rendered.edit.references.filter((reference) => reference.optional)).toHaveLength(2);
    }
  });

  it('keeps everything beside the name', () => {
    const volume = { name: 'a', configMap: { name: 'cfg', items: [{ key: 'k', path: 'p' }], defaultMode: 420, optional: true } };
    const { spec } = render(pod(podSpec({ volumes: [volume] })), ctx);
    expect(spec['volumes']).toEqual([{ ...volume, configMap: { ...volume.configMap, name: 'cfg-x-default-x-dev' } }]);
  });

  it('never reaches the host raw, even where its target is not there', () => {
    const spec = podSpec({ containers: [container({ envFrom: [{ secretRef: { name: 'dev-control-plane-kubeconfig' } }] })] });
    expect(strings(render(pod(spec), ctx).spec)).not.toContain('dev-control-plane-kubeconfig');
  });

  it('that is empty stays empty', () => {
    const spec = podSpec({ volumes: [{ name: 'a', configMap: { name: '' } }] });
    expect(at(renderUnchecked(pod(spec), ctx).edit.object, 'spec', 'volumes')).toEqual([{ name: 'a', configMap: { name: '' } }]);
  });

  it('that is no legal name refuses the object', () => {
    for (const name of ['../../kube-system/x', 'Upper', 'a b', 'x'.repeat(254), 'ünïcode']) {
      const spec = podSpec({ volumes: [{ name: 'a', secret: { secretName: name } }] });
      expect(renderUnchecked(pod(spec), ctx).edit.refusals.map(({ reason }) => reason)).toEqual(['InvalidName']);
    }
  });

  it('to a claim of a StatefulSet gets the name that the set looks for', () => {
    const set = workload(
      'StatefulSet',
      podSpec(),
      { serviceName: 'db', volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] },
      'db',
    );
    const withSet = testContext({ objects: [set] });
    const { spec } = render(pod(podSpec({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data-db-0' } }] })), withSet);
    expect(spec['volumes']).toEqual([{ name: 'v', persistentVolumeClaim: { claimName: 'data-db-x-default-x-dev-0' } }]);
  });
});

describe('ephemeral containers', () => {
  it('are dropped from what is rendered, and that is said', () => {
    const { spec, note } = render(pod(podSpec({ ephemeralContainers: [container({ name: 'debug' })] })), ctx);
    expect(spec['ephemeralContainers']).toBeUndefined();
    expect(note('EphemeralContainersDropped')).toBeDefined();
  });
});

describe('an ephemeral volume', () => {
  it('hands the host a claim with labels and no instruction', () => {
    const metadata = {
      labels: { app: 'a', 'argocd.argoproj.io/instance': 'x' },
      annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' },
      finalizers: ['a/b'],
    };
    const volume = {
      name: 'v',
      ephemeral: {
        volumeClaimTemplate: { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      },
    };
    const { spec } = render(pod(podSpec({ volumes: [volume] })), ctx);
    expect(spec['volumes']).toEqual([
      {
        name: 'v',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { app: 'a', 't.tenantplane.io/argocd.argoproj.io_instance': 'x' } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
    ]);
  });
});
