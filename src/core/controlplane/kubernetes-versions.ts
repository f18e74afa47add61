/** One version of Kubernetes that a control plane can run, and the k3s image that it runs as. */
export interface KubernetesRelease {
  /** `1.34.2` */
  readonly version: string;
  /** `repository:tag` or `repository@sha256:…` */
  readonly image: string;
}

/**
 * The newest patch of each minor version that is known to be published as an image of k3s. They are tags: a platform that pins digests,
 * has a registry of its own or needs another patch hands the reconciler a table of its own (`--releases FILE`, `releases-document.ts`),
 * which then holds in place of this one.
 */
export const KUBERNETES_RELEASES: readonly KubernetesRelease[] = [
  '1.28.13',
  '1.29.9',
  '1.30.6',
  '1.31.11',
  '1.32.13',
  '1.33.13',
  '1.34.11',
  '1.35.8',
  '1.36.4',
  '1.37.1',
].map((version) => ({ version, image: `rancher/k3s:v${version}-k3s1` }));

/** `v1.34.2+k3s1`; patch and suffix may be missing. */
const VERSION = /^v?1\.(\d+)(?:\.(\d+))?([-+].+)?$/;

interface Version {
  readonly minor: number;
  readonly patch?: number;
  /** a pre-release or a build, with its sign */
  readonly suffix: string;
}

function parse(text: string): Version | undefined {
  const [, minor, patch, suffix = ''] = VERSION.exec(text) ?? [];
  return minor === undefined ? undefined : { minor: Number(minor), suffix, ...(patch !== undefined && { patch: Number(patch) }) };
}

/**
 * The release that is asked for: the newest patch of a minor version, a patch exactly as it is written, the newest of all where nothing is
 * said. A suffix (`+k3s2`, `-rc1`) means that very build, so only a row that says so too has it.
 */
export function findRelease(
  wanted: string | undefined,
  table: readonly KubernetesRelease[] = KUBERNETES_RELEASES,
): KubernetesRelease | undefined {
  if (wanted === undefined || wanted === '') return newest(table);
  const version = parse(wanted);
  if (version === undefined) return undefined;
  if (version.patch === undefined) return version.suffix === '' ? newest(table.filter((row) => minorOf(row) === version.minor)) : undefined;
  return table.find((row) => row.version.replace(/^v/, '') === wanted.replace(/^v/, ''));
}

/** The last step reaches what is wanted. */
export type VersionStep =
  | { readonly to: KubernetesRelease; readonly last: boolean }
  | { readonly refused: 'downgrade' | 'unknown'; readonly why: string };

/**
 * Where a control plane goes next on its way to a release. Kubernetes is upgraded one minor version at a time and never back: an older
 * server cannot read what a newer one has stored (kubernetes.io/releases/version-skew-policy).
 */
export function nextStep(current: string | undefined, wanted: KubernetesRelease, table: readonly KubernetesRelease[]): VersionStep {
  if (current === undefined || current === wanted.version) return { to: wanted, last: true };
  const [from, to] = [parse(current), parse(wanted.version)];
  if (from === undefined || to === undefined) {
    return { refused: 'unknown', why: `${from === undefined ? current : wanted.version} is no version of Kubernetes.` };
  }
  if (compare(to, from) < 0) {
    return { refused: 'downgrade', why: `It runs Kubernetes ${current}, and ${wanted.version} could not read what that has stored.` };
  }
  if (to.minor - from.minor <= 1) return { to: wanted, last: true };
  const next = newest(table.filter((row) => minorOf(row) === from.minor + 1));
  if (next !== undefined) return { to: next, last: false };
  const missing = `1.${from.minor + 1}`;
  return {
    refused: 'unknown',
    why: `From Kubernetes ${current} to ${wanted.version} it has to go one minor version at a time, and no release of ${missing} is known.`,
  };
}

function minorOf({ version }: KubernetesRelease): number | undefined {
  return parse(version)?.minor;
}

function newest(rows: readonly KubernetesRelease[]): KubernetesRelease | undefined {
  let best: readonly [Version, KubernetesRelease] | undefined;
  for (const row of rows) {
    const version = parse(row.version);
    if (version !== undefined && (best === undefined || compare(version, best[0]) > 0)) best = [version, row];
  }
  return best?.[1];
}

/** A pre-release (`-rc1`) comes before its release, a build (`+k3s2`) behind it. */
function compare(a: Version, b: Version): number {
  const rank = ({ suffix }: Version): number => (suffix === '' ? 0 : suffix.startsWith('-') ? -1 : 1);
  const order = a.minor - b.minor || (a.patch ?? 0) - (b.patch ?? 0) || rank(a) - rank(b);
  return order || a.suffix.localeCompare(b.suffix, 'en', { numeric: true });
}
