import { readFileSync } from 'node:fs';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { GROUP, RESOURCE_SCHEMAS } from '../../src/schema/config-kinds.ts';

const HEADER = '# Generated from deploy/argocd/health.lua by `npm run generate`. Do not edit.\n';
const COMMENT = `# A part of Argo CD's own settings, so a patch: \`kubectl patch configmap argocd-cm -n argocd --patch-file\` of it adds these keys and leaves the others.
`;

/** The health of our kinds, for an Argo CD that is there already: a patch, and a component for those who install Argo CD with kustomize. */
export function argocdFiles(): ReadonlyMap<string, string> {
  const script = readFileSync(new URL('health.lua', import.meta.url), 'utf8');
  const patch = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm' },
    // a key for each kind: a wildcard would have to stand in `resource.customizations`, which holds what others set
    data: Object.fromEntries(Object.keys(RESOURCE_SCHEMAS).map((kind) => [`resource.customizations.health.${GROUP}_${kind}`, script])),
  };
  const component = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches: [{ path: 'argocd-cm-patch.yaml' }] };
  return new Map([
    ['deploy/argocd/argocd-cm-patch.yaml', `${HEADER}${COMMENT}${emitYaml(patch)}`],
    ['deploy/argocd/kustomization.yaml', `${HEADER}${emitYaml(component)}`],
  ]);
}
