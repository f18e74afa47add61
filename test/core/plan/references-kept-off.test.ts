import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../../../src/report/tally.ts';
import { devPackage, type Files, planFiles, policy } from '../../support/observe.ts';

describe('a reference to what is kept off the host itself', () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {a: b}\n';
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  securityContext: {runAsNonRoot: true}\n  containers: [{name: c, image: a:1, envFrom: [{secretRef: {name: web}}], securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]\n';
  const remedyFor = (files: Files, kinds?: readonly string[]): string | undefined =>
    decisionsOf(planFiles(devPackage(files, kinds === undefined ? {} : { policy: policy(kinds) })))
      .flatMap(({ notes }) => notes)
      .find(({ reason }) => reason === 'ReferenceUnresolved')?.remedy;

  it.each<[string, Files, readonly string[] | undefined, RegExp]>([
    [
      'refused',
      { 'web.yaml': secret },
      undefined,
      /^Secret default\/web is in objects\/, but was refused \(TP3039 \w+\): .*spec\.secrets\.render/,
    ],
    ['in no policy', { 'web.yaml': secret }, ['v1/Pod'], /^Secret default\/web is in objects\/, but is left out \(TP2\d+ \w+\): /],
    [
      'made by an object in no policy',
      {
        'web.yaml':
          'apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: pull}\nspec: {target: {name: web}, secretStoreRef: {kind: ClusterSecretStore, name: x}}\n',
      },
      ['v1/Pod'],
      /^ExternalSecret default\/pull, which makes Secret default\/web, is in objects\/, but is left out \(TP2\d+ \w+\): /,
    ],
    [
      'nowhere',
      {},
      undefined,
      /^Add an ExternalSecret or a SealedSecret that makes it to objects\/ and its kind to the SyncPolicy, or list it under spec\.expects/,
    ],
  ])('says what to mend where it is %s', (_, files, kinds, remedy) => {
    expect(remedyFor({ 'pod.yaml': pod, ...files }, kinds)).toMatch(remedy);
  });

  const sealed =
    'apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: web, annotations: {sealedsecrets.bitnami.com/cluster-wide: "true"}}\nspec: {encryptedData: {a: AgBy}}\n';
  it.each<[string, Files, string, readonly string[]]>([
    ['a SealedSecret', { 'web.yaml': sealed }, '', ['v1/Pod', 'v1/Secret', 'bitnami.com/v1alpha1/SealedSecret']],
    ['spec.expects', {}, '  expects: [{apiVersion: v1, kind: Secret, namespace: default, name: web}]\n', ['v1/Pod', 'v1/Secret']],
    ['a Secret, where plain text is meant', { 'web.yaml': secret }, '  secrets: {render: plain}\n', ['v1/Pod', 'v1/Secret']],
  ])('is answered by what the remedy names: %s', (_, files, spec, kinds) => {
    const decisions = decisionsOf(planFiles(devPackage({ 'pod.yaml': pod, ...files }, { spec, policy: policy(kinds) })));
    expect(decisions.map(({ source, action }) => [source?.kind, action])).toContainEqual(['Pod', 'Create']);
    expect(decisions.flatMap(({ notes, action }) => [...notes.map(({ reason }) => reason as string), action])).not.toContain(
      'ReferenceUnresolved',
    );
    expect(decisions.filter(({ action }) => action === 'Skip')).toEqual([]);
  });
});
