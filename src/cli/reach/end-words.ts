/** Words for ends of a call that are no objects of a tenant. */
export type EndWord = 'internet' | 'dns' | 'host-dns' | 'control-plane' | 'api-server' | 'node';

export const END_WORDS: readonly EndWord[] = ['internet', 'dns', 'host-dns', 'control-plane', 'api-server', 'node'];

const SYNONYMS: Readonly<Record<string, EndWord>> = {
  world: 'internet',
  outside: 'internet',
  external: 'internet',
  'kube-dns': 'host-dns',
  coredns: 'host-dns',
  controlplane: 'control-plane',
  cp: 'control-plane',
  'tenant-api': 'control-plane',
  apiserver: 'api-server',
  'kube-apiserver': 'api-server',
  kubernetes: 'api-server',
  'host-api': 'api-server',
  kubelet: 'node',
  nodes: 'node',
  host: 'node',
};

/** The word that is meant, also by another one for the same. */
export function endWord(text: string): EndWord | undefined {
  const lower = text.toLowerCase();
  return END_WORDS.find((word) => word === lower) ?? (Object.hasOwn(SYNONYMS, lower) ? SYNONYMS[lower] : undefined);
}
