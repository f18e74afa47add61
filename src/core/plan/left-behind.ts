import { shellWord } from '../decision/shell-word.ts';

interface Left {
  readonly kind: string;
  /** '' where the object is of the cluster */
  readonly namespace: string;
  readonly name: string;
}

/** What is said of an object that appliers are told to keep: why it stays, and how it is deleted once nothing needs it. */
export function leftBehind({ kind, namespace, name }: Left, tenantGone: boolean): Readonly<Record<string, string>> {
  const [why, until] = sortOf(kind, namespace, tenantGone);
  const where = namespace === '' || kind === 'Namespace' ? [] : ['-n', shellWord(namespace)];
  const command = ['kubectl delete', ...where, shellWord(`${kind.toLowerCase()}/${name}`)].join(' ');
  return { host: `${kind} ${name}`, why, until, command };
}

function sortOf(kind: string, namespace: string, tenantGone: boolean): readonly [why: string, until: string] {
  if (kind === 'PersistentVolumeClaim') return ['a claim holds data', 'no pod uses it and its data is not needed'];
  if (kind === 'Namespace')
    return ['with it would go all that is in it, data too', 'its pods are gone and nothing in it is needed, claims included'];
  if (kind === 'Role' || kind === 'RoleBinding')
    return ['the reconciler takes the control plane down with it', 'the TenantCluster is gone'];
  return [
    'so that nothing left in the namespace runs without it',
    tenantGone ? `the pods in ${namespace} are gone` : `the pods in ${namespace} may run without it`,
  ];
}
