import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { nameOf, namespaceOf, stringMap } from '../../src/core/kube/object.ts';
import { type HostPod, type HostTree, textAt } from './host-tree.ts';

type Answer = JsonObject | 'outside' | undefined;

const DOMAIN = 'cluster.local';

/**
 * The Service that answers to `host` when a pod asks: through the host's DNS, or through the tenant's DNS server, whose
 * rewrites are followed as its configuration states them. `outside` for names that are not the cluster's; undefined for one of
 * the cluster's that does not exist.
 */
export function servesOf(tree: HostTree, pod: HostPod, host: string): Answer {
  const rewrites = rewritesFor(tree, pod);
  for (const name of candidates(pod, host)) {
    const asked = rewrites.reduce<{ name: string; done: boolean }>((state, rule) => (state.done ? state : rule(state.name)), {
      name,
      done: false,
    });
    const answer = onHost(tree, asked.name.replace(/\.$/, ''));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Names that the resolver of the pod tries, as resolv.conf says: with few dots, the search list first. */
function candidates(pod: HostPod, host: string): string[] {
  const own = textAt(pod.spec, 'dnsPolicy') === 'None';
  const stated = at(pod.spec, 'dnsConfig', 'searches');
  const usual = [`${pod.namespace}.svc.${DOMAIN}`, `svc.${DOMAIN}`, DOMAIN];
  const searches = own ? (Array.isArray(stated) ? stated.map(String) : []) : usual;
  const ndots = own
    ? Number(
        textAt(
          objectsOf(at(pod.spec, 'dnsConfig', 'options')).find((option) => option['name'] === 'ndots'),
          'value',
        ) || '1',
      )
    : 5;
  const searched = searches.map((search) => `${host}.${search}.`);
  return host.split('.').length - 1 < ndots ? [...searched, `${host}.`] : [`${host}.`, ...searched];
}

/** What the host's DNS knows: Services of the tree, and pods behind headless ones by their host names. */
function onHost(tree: HostTree, name: string): Answer {
  if (name.endsWith('.invalid') || !name.includes('.')) return undefined;
  if (!name.endsWith(`.svc.${DOMAIN}`)) return name.endsWith(DOMAIN) ? undefined : 'outside';
  const labels = name.slice(0, -`.svc.${DOMAIN}`.length).split('.');
  const [first = '', second = '', third] = labels;
  if (third === undefined) return tree.find('Service', second, first);
  const service = tree.find('Service', third, second);
  return service !== undefined && isPodBehind(tree, service, first) ? service : undefined;
}

function isPodBehind(tree: HostTree, service: JsonObject, hostname: string): boolean {
  const [, set = '', ordinal = ''] = /^(.+)-(\d+)$/.exec(hostname) ?? [];
  const found = tree.find('StatefulSet.apps', namespaceOf(service) ?? '', set);
  return (
    found !== undefined &&
    stringAt(found, 'spec', 'serviceName') === nameOf(service) &&
    Number(ordinal) < Number(at(found, 'spec', 'replicas') ?? 1)
  );
}

type Rewrite = (name: string) => { name: string; done: boolean };

/** The `rewrite stop name regex` rules of the server that the pod asks, in their order; none where it asks the host's. */
function rewritesFor(tree: HostTree, pod: HostPod): Rewrite[] {
  const corefile = corefileFor(tree, pod);
  const rules = corefile.matchAll(/^\s*(?:rewrite stop )?name regex (\S+) (\S+)$/gm);
  return [...rules].map(([, pattern = '', replacement = '']) => {
    const regex = new RegExp(pattern);
    return (name) => {
      const match = regex.exec(name);
      if (match === null) return { name, done: false };
      return { name: replacement.replace(/\{(\d+)\}/g, (_, index: string) => match[Number(index)] ?? ''), done: true };
    };
  });
}

function corefileFor(tree: HostTree, pod: HostPod): string {
  if (textAt(pod.spec, 'dnsPolicy') !== 'None') return '';
  const addresses = at(pod.spec, 'dnsConfig', 'nameservers');
  const service = tree
    .all('Service')
    .find((candidate) => Array.isArray(addresses) && addresses.includes(at(candidate, 'spec', 'clusterIP') ?? null));
  const selector = stringMap(objectAt(service, 'spec', 'selector'));
  const server = tree.pods.find(
    ({ namespace, labels }) =>
      namespace === pod.namespace && selector.size > 0 && [...selector].every(([key, value]) => labels.get(key) === value),
  );
  const names = objectsOf(server?.spec['volumes']).map((volume) => textAt(volume, 'configMap', 'name'));
  return names.map((name) => textAt(tree.find('ConfigMap', pod.namespace, name), 'data', 'Corefile')).join('\n');
}
