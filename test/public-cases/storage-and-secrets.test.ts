import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { devPackage, planFiles, policy, previousOf, treeOf } from '../support/observe.ts';
import { type Case, cases, decisionsOf, valueAt } from './case.ts';
import { everythingSaid } from './outputs.ts';
import { configMap, pod } from './pods.ts';

const PLAIN = '  secrets: {render: plain}\n';
const claim = (spec: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n${spec.replace(/^(?=.)/gm, '  ')}\n`;
const secret = (more: string, metadata = ''): string =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: s${metadata === '' ? '' : `, ${metadata}`}}\n${more}\n`;

const CLAIMS: readonly Case[] = [
  {
    id: 'T-P14 E20',
    refs: 'CVE-2025-13281',
    wrong: 'a claim binds the volume of somebody else by its name',
    input: claim('volumeName: pv-of-other'),
    refused: 'VolumeNamePinned',
    pointer: 'spec.volumeName',
  },
  {
    id: 'T-P14',
    refs: 'Capsule benchmark: block existing volumes',
    wrong: 'a claim finds the volume of somebody else by its labels',
    input: claim('selector: {matchLabels: {owner: other}}'),
    refused: 'VolumeNamePinned',
    pointer: 'spec.selector',
  },
  {
    id: 'T-P14',
    refs: 'KEP-3294',
    wrong: 'a claim copies the data of another namespace',
    input: claim('dataSourceRef: {kind: PersistentVolumeClaim, name: db, namespace: team-prod}'),
    refused: 'VolumeNamePinned',
    pointer: 'spec.dataSourceRef.namespace',
  },
  {
    id: 'T-P14 E21',
    refs: 'MTB-PL1-CC-FNS-1',
    wrong: 'a claim takes a class that the platform keeps for others',
    input: claim('storageClassName: host-fast'),
    refused: 'StorageClassBlocked',
    pointer: 'spec.storageClassName',
  },
  {
    id: 'E21 S44',
    refs: 'k3k#266, vcluster#1126',
    wrong: 'a claim without a class gets one made up, or the empty one that means "by hand"',
    input: claim(''),
    fields: { 'spec storageClassName': undefined, 'metadata name': 'data-x-default-x-dev' },
  },
  {
    id: 'E21',
    refs: 'vcluster#1126',
    wrong: 'the empty class, which binds to whatever volume lies around, passes as "default"',
    input: claim('storageClassName: ""'),
    refused: 'StorageClassBlocked',
  },
  {
    id: 'T-P15',
    refs: 'vcluster shared-node guide',
    wrong: 'a volume with a path of the node is made outside any namespace',
    input:
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\nspec: {hostPath: {path: /}, capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}\n',
    refused: 'KindIsClusterScoped',
  },
];

const SECRETS: readonly Case[] = [
  {
    id: 'T-P8 E13',
    refs: 'kyverno deny-secret-service-account-token-type',
    wrong: 'a Secret of the token type is filled by the host with a token of the host',
    spec: PLAIN,
    input: secret(
      'type: kubernetes.io/service-account-token\ndata: {token: aHVudGVyMg==, ca.crt: YQ==, namespace: YQ==, mine: Yg==}',
      'annotations: {kubernetes.io/service-account.name: default, kubernetes.io/service-account.uid: u}',
    ),
    fields: {
      type: 'Opaque',
      data: { mine: 'Yg==' },
      'metadata annotations kubernetes.io/service-account.name': undefined,
      'metadata annotations kubernetes.io/service-account.uid': undefined,
    },
  },
  {
    id: 'E14',
    refs: 'bootstrap tokens let a node join',
    wrong: 'a Secret lets its holder join a node to the host',
    spec: PLAIN,
    input: secret('type: bootstrap.kubernetes.io/token\nstringData: {token-id: abcdef}'),
    refused: 'SecretTypeBlocked',
  },
  {
    id: 'T-L5 E15',
    refs: 'kubernetes-replicator',
    wrong: 'an operator of the host copies a Secret of kube-system into the tenant because an annotation says so',
    spec: PLAIN,
    input: secret(
      'stringData: {a: b}',
      'annotations: {replicator.v1.mittwald.de/replicate-from: kube-system/x, cert-manager.io/issuer: a}',
    ),
    fields: {
      'metadata annotations replicator.v1.mittwald.de/replicate-from': undefined,
      'metadata annotations cert-manager.io/issuer': undefined,
    },
    notes: ['AnnotationBlocked'],
    says: /cert-manager\.io\/issuer, replicator\.v1\.mittwald\.de\/replicate-from/,
  },
  {
    id: 'T-R3',
    refs: 'secrets in Git',
    wrong: 'a Secret that stands in Git in plain text is spread to a second place',
    input: secret('stringData: {a: b}'),
    refused: 'SecretNotRendered',
    says: /ExternalSecret or SealedSecret/,
  },
  {
    id: 'E66',
    refs: 'vcluster#3574',
    wrong: 'a Secret that is no base64 fails at the API server, or an error shows what it holds',
    spec: PLAIN,
    input: secret('data: {password: "hunter2!"}'),
    refused: 'ObjectMalformed',
    pointer: 'data.password',
  },
];

describe('a claim', () => cases(CLAIMS));
describe('a Secret', () => {
  cases(SECRETS);

  const CANARY = 'hunter2-canary';
  const FORMS = [
    CANARY,
    Buffer.from(CANARY).toString('base64'),
    createHash('sha256').update(CANARY).digest('hex'),
    createHash('sha256').update(CANARY).digest('base64'),
  ];
  it.each([
    ['rendered', PLAIN, `stringData: {password: ${CANARY}}`],
    ['rendered, of the token type', PLAIN, `type: kubernetes.io/service-account-token\nstringData: {token: ${CANARY}, keep: ${CANARY}}`],
    ['refused', '', `stringData: {password: ${CANARY}}`],
    ['malformed', PLAIN, `data: {password: "${CANARY}!"}`],
    ['of the wrong shape', PLAIN, `stringData: [${CANARY}]`],
    ['applied by kubectl before', PLAIN, 'stringData: {a: b}'],
    ['broken YAML', PLAIN, `stringData: {password: ${CANARY}`],
  ])('S72 T-R3 E66 vcluster PR#3611, CVE-2026-42880: its value, or a plain digest of it, is told to someone: %s', (what, spec, more) => {
    const metadata = what.startsWith('applied')
      ? `annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"${CANARY}"}}'}`
      : '';
    const files = devPackage(
      { 'x.yaml': secret(more, metadata), 'p.yaml': pod('volumes: [{name: v, secret: {secretName: s}}]') },
      { spec },
    );
    const result = planFiles(files);
    const changed = planFiles(
      devPackage({ 'x.yaml': secret(more.replaceAll(CANARY, 'other'), metadata) }, { spec }),
      {},
      previousOf(result),
    );
    for (const told of [result, changed]) {
      const shown = [
        JSON.stringify(decisionsOf(told)),
        JSON.stringify(told.findings),
        everythingSaid(told),
        ...[...treeOf(told)].filter(([path]) => !path.includes('/secret_')).map(([, text]) => text),
      ].join('\n');
      for (const form of FORMS) expect(shown.includes(form)).toBe(false);
    }
    // the one place it may stand in: the Secret that the TenantCluster asks for
    const secrets = [...treeOf(result)].filter(([path]) => path.includes('/secret_')).map(([, text]) => text);
    expect(secrets.join('').includes(CANARY)).toBe(what.startsWith('rendered'));
  });

  it('T-R1 E13 CVE-2023-40029: a mirrored token Secret keeps its type where content also flows back, so the host’s token would be pulled', () => {
    for (const direction of ['fromHost', 'bidirectional']) {
      const files = devPackage(
        { 'x.yaml': secret('type: kubernetes.io/service-account-token\nstringData: {a: b}') },
        { spec: PLAIN, policy: policy(['v1/Secret']).replace('direction: toHost', `direction: ${direction}`) },
      );
      const text = treeOf(planFiles(files)).get('team-dev/secret_s-x-default-x-dev.yaml');
      expect(text).toContain('type: Opaque');
      expect(text).toContain('kustomize.toolkit.fluxcd.io/ssa: IfNotPresent');
    }
  });
});

describe('what holds data', () => {
  it('S62 vcluster#1464: a claim whose source is gone is deleted with its data, or left behind without a word', () => {
    const old = previousOf(planFiles(devPackage({ 'x.yaml': claim(''), 'y.yaml': configMap('a') })));
    const mirror = old.find(({ source }) => source.path.includes('/persistentvolumeclaim_'))?.object;
    expect(valueAt(mirror, 'metadata annotations')).toMatchObject({
      'argocd.argoproj.io/sync-options': expect.stringMatching(/Prune=false/),
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'client.lifecycle.config.k8s.io/deletion': 'detach',
    });
    const result = planFiles(devPackage({ 'y.yaml': configMap('a') }), {}, old);
    const gone = decisionsOf(result).filter(({ action }) => action === 'Delete');
    expect(gone.flatMap(({ reason, notes }) => [reason, ...notes.map((note) => note.reason)])).toContain('DataLeftBehind');
  });

  it('S25 vcluster PR#432: a claim that grows does not grow on the host; one that shrinks is refused there without a word here', () => {
    const old = previousOf(planFiles(devPackage({ 'x.yaml': claim('') })));
    const reasons = (size: string): readonly string[] => {
      const result = planFiles(devPackage({ 'x.yaml': claim('').replace('1Gi', size) }), {}, old);
      expect(treeOf(result).get('team-dev/persistentvolumeclaim_data-x-default-x-dev.yaml')).toContain(`storage: ${size}`);
      return decisionsOf(result).flatMap(({ notes }) => notes.map(({ reason }) => reason));
    };
    expect(reasons('2Gi')).not.toContain('ReplaceNeeded');
    expect(reasons('512Mi')).toContain('ReplaceNeeded');
  });
});
