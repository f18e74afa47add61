import { declaredControls } from '../isolation/controls.ts';
import { dnsPeers } from '../isolation/peers.ts';
import { at, type Json, type JsonObject, objectAt, stringAt } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import type { PolicyEntry } from '../plan/settings.ts';
import type { Judged } from './judged-settings.ts';

/**
 * What is declared of a tenant's isolation, as text by control: the controls, and what opens or closes something and is no control
 * of its own. Quotas and limits are not here: what is not stated of them is in force all the same (`bounds.ts`).
 *
 * @param other the side that it is compared with: what a policy says of a kind counts where both have the kind
 */
export function declaredTexts(side: Judged, other: Judged): ReadonlyMap<string, string> {
  const texts = new Map(declaredControls(side));
  texts.delete('resources');
  for (const [control, text] of Object.entries({ ...profileTexts(side), ...tenantTexts(side), ...policyTexts(side, other) }))
    if (text !== undefined) texts.set(control, text);
  return texts;
}

type Texts = Readonly<Record<string, string | undefined>>;

function profileTexts({ profile, host }: Judged): Texts {
  const { allow, network, ingressHostSuffixes, runtimeClassName = '' } = profile;
  return {
    'allow.annotations': listed(allow.annotations),
    'allow.externalMetrics': String(allow.externalMetrics),
    'allow.gatewayNamespaces': listed(allow.gatewayNamespaces),
    'allow.secretStores': listed(allow.secretStores),
    'allow.seccompProfiles': listed(allow.seccompProfiles),
    'allow.ingressHostSuffixes': listed(ingressHostSuffixes),
    'allow.tolerations': listed(allow.tolerations.map(({ key, operator, value, effect }) => words(key, operator, value, effect))),
    'network.hostCIDRs': listed(network.hostCIDRs),
    'network.dnsPeers': listed(
      dnsPeers(network).map(({ namespace, port, podLabels }) => `${namespace}:${port}:${pairs(podLabels).join(';')}`),
    ),
    'host.trustedWriters': listed(host.trustedWriters),
    'host.trustedGroups': listed(host.trustedGroups),
    'host.runtimeTolerations': listed((host.runtimeTolerations.get(runtimeClassName) ?? []).map(tolerationText)),
  };
}

function tenantTexts({ cluster, tenant }: Judged): Texts {
  const networking = at(cluster, 'spec', 'networking', 'ingressHostSuffixes');
  const suffixes = Array.isArray(networking) ? networking.filter((suffix) => typeof suffix === 'string') : [];
  const annotations = objectAt(cluster, 'spec', 'controlPlane', 'expose', 'annotations') ?? {};
  return {
    'networking.ingressHostSuffixes': listed(suffixes.map((suffix) => suffix.replaceAll('{tenant}', tenant.name))),
    ...(tenant.mode === 'dedicated' && {
      'nodePool.nodeSelector': listed(pairs(tenant.nodePool?.nodeSelector ?? {})),
      'nodePool.tolerations': listed((tenant.nodePool?.tolerations ?? []).map(tolerationText)),
    }),
    'controlPlane.expose.loadBalancer': String(tenant.controlPlane.loadBalancer),
    ...(tenant.controlPlane.loadBalancer &&
      Object.keys(annotations).length > 0 && { 'controlPlane.expose.annotations': listed(pairs(annotations)) }),
    'controlPlane.kubeconfig.hours': String(at(cluster, 'spec', 'controlPlane', 'kubeconfig', 'hours') ?? 168),
  };
}

/** Kinds that the table does not know: of their objects nothing is checked but what the entry names. */
function policyTexts({ policy }: Judged, other: Judged): Texts {
  if (policy === undefined) return {};
  const custom = policy.entries.filter(isCustom);
  const known = new Set((other.policy?.entries ?? []).map(nameOf));
  const both = custom.filter((entry) => known.has(nameOf(entry)));
  return {
    'resources.customKinds': listed(custom.map(nameOf)),
    'resources.references': listed(
      both.flatMap((entry) => entry.references.map((to) => `${nameOf(entry)}:${to.path}:${to.apiVersion}/${to.kind}`)),
    ),
    'resources.selectors': listed(both.flatMap((entry) => entry.selectors.map(({ path }) => `${nameOf(entry)}:${path}`))),
    'resources.labelSelector': listed(
      both.map((entry) => `${nameOf(entry)}|${entry.labelSelector === undefined ? '*' : JSON.stringify(entry.labelSelector)}`),
    ),
    'resources.scope': listed(both.flatMap((entry) => (entry.scope === 'Cluster' ? [`${nameOf(entry)}:Cluster`] : []))),
  };
}

function isCustom({ key }: PolicyEntry): boolean {
  return kindRow(key) === undefined;
}

function nameOf({ apiVersion, kind }: PolicyEntry): string {
  return `${apiVersion}/${kind}`;
}

/** As the API server reads it: Equal unless it says Exists, any key and effect where it names none. */
function tolerationText(object: JsonObject): string {
  const operator = stringAt(object, 'operator') ?? 'Equal';
  const value = operator === 'Exists' ? undefined : (stringAt(object, 'value') ?? '');
  const [key, effect] = [stringAt(object, 'key'), stringAt(object, 'effect')];
  return words(key === '' ? undefined : key, operator, value, effect === '' ? undefined : effect);
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '*').join(':');
}

function pairs(record: Readonly<Record<string, Json | undefined>>): string[] {
  return Object.entries(record)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort();
}

/** Words with a space between; a space within one is written as in a URL. */
function listed(names: readonly string[]): string {
  return (
    [...new Set(names)]
      .map((name) => name.replaceAll('%', '%25').replaceAll(' ', '%20'))
      .sort()
      .join(' ') || 'none'
  );
}
