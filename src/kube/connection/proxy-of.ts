import { type Address, contains, parseAddress, parseCidr } from '../../core/kube/cidr.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy on the way to a server, as Go's clients find it: the one that is named, else that of the environment. */
export function proxyOf(server: URL, named: string | undefined, env: Env): string | undefined {
  if (named !== undefined) return named;
  const proxy = env['HTTPS_PROXY'] || env['https_proxy'] || undefined;
  if (proxy === undefined || isSpared(server, env['NO_PROXY'] || env['no_proxy'] || '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** What is wrong with the address of a proxy; undefined where it is one that is spoken. */
export function proxyProblem(proxy: string): string | undefined {
  let url: URL;
  try {
    url = new URL(proxy);
  } catch {
    return 'it is no URL';
  }
  return url.protocol === 'http:' || url.protocol === 'https:'
    ? undefined
    : `${url.protocol.slice(0, -1)} proxies are not spoken, http and https are`;
}

/** Loopback always; else as `NO_PROXY` lists it: `*`, a name and what is below it, an address, a range; a port narrows it. */
function isSpared(server: URL, list: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const address = parseAddress(host);
  if (host === 'localhost' || (address !== undefined && LOOPBACK.some((range) => isIn(address, range)))) return true;
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== '' && covers(entry, host, address, server.port || '443'));
}

const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1/128'];

function covers(entry: string, host: string, address: Address | undefined, port: string): boolean {
  if (entry === '*') return true;
  if (address !== undefined && (isIn(address, entry) || parseAddress(entry)?.value === address.value)) return true;
  const [name = '', only] = entry.split(/:(?=\d+$)/);
  if (only !== undefined && only !== port) return false;
  if (address !== undefined) return parseAddress(name)?.value === address.value;
  const domain = name.replace(/^\*(?=\.)/, '');
  // with a dot before it only what is below it, without one the name itself too
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function isIn(address: Address, range: string): boolean {
  const cidr = parseCidr(range);
  return cidr !== undefined && contains(cidr, address);
}
