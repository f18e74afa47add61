import { KEY } from '../../identity/metadata.ts';
import { every, some } from './cel.ts';
import { managedByUs, OURS_BY_KEY, TOLD, truth } from './reserved-keys.ts';
import type { SharedRule } from './rule.ts';

/**
 * What Kubernetes makes of a template is looked at by no rule about who writes: Kubernetes does. So the templates are.
 * Several kinds stand in one policy, and a CEL checker knows the fields of each: hence `dyn`.
 */
export const TEMPLATE_RULES: readonly SharedRule[] = [
  {
    id: 'tpl-meta',
    group: 'templates',
    matches: 'templates of pods, Jobs and claims in tenantplane namespaces',
    controls: ['reservedMetadata'],
    expression: () =>
      `variables.templates.all(t, ${some([
        '!has(t.metadata)',
        every([
          added('labels', [
            `!(${some([OURS_BY_KEY, managedByUs('t.metadata.labels'), TOLD])})`,
            truth('t.metadata.labels'),
            `k == '${KEY.virtualNamespace}'`,
          ]),
          added('annotations', [`!(${some([OURS_BY_KEY, TOLD])})`]),
        ]),
      ])})`,
    message: [
      'a template gives what is made of it labels or annotations of the platform or its tools',
      'Remove them; the tenant label of the namespace may stay.',
    ],
    doc: 'have the labels and annotations that an object itself may have; what was in them before may stay',
  },
];

/** No such entry that no template of the object had before. */
function added(map: 'labels' | 'annotations', free: readonly string[]): string {
  const now = `t.metadata.${map}`;
  const old = `o.metadata.${map}`;
  const had = every(['has(o.metadata)', `has(${old})`, `k in ${old}`, `${old}[k] == ${now}[k]`]);
  return some([`!has(${now})`, `${now}.all(k, ${some([...free, `variables.oldtemplates.exists(o, ${had})`])})`]);
}

/** Every template in an object: of pods, of a CronJob's Jobs, of a set's claims and of those of ephemeral volumes. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  made: 'dyn(object.spec)',
  was: `request.operation == 'UPDATE' ? dyn(oldObject.spec) : dyn({})`,
  templates: templatesOf('variables.made'),
  oldtemplates: templatesOf('variables.was'),
};

function templatesOf(spec: string): string {
  const job = `${spec}.jobTemplate`;
  const parts = [
    `(has(${spec}.template) ? [${spec}.template] + ${claimsOf(`${spec}.template.spec`)} : [])`,
    `(has(${job}) ? [${job}, ${job}.spec.template] + ${claimsOf(`${job}.spec.template.spec`)} : [])`,
    `(has(${spec}.volumeClaimTemplates) ? ${spec}.volumeClaimTemplates : [])`,
    claimsOf(spec),
  ];
  return parts.join(' + ');
}

function claimsOf(podSpec: string): string {
  const claim = 'v.ephemeral.volumeClaimTemplate';
  return `(has(${podSpec}.volumes) ? ${podSpec}.volumes.filter(v, has(v.ephemeral)).map(v, ${claim}) : [])`;
}
