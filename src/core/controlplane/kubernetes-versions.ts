// STUB
export interface KubernetesRelease {
  readonly version: string;
  readonly image: string;
}
export function findRelease(wanted: string | undefined, table: readonly KubernetesRelease[]): KubernetesRelease | undefined {
  return wanted === undefined ? table.at(-1) : table.filter((r) => r.version === wanted || r.version.startsWith(`${wanted}.`)).at(-1);
}
export type VersionStep =
  | { readonly to: KubernetesRelease; readonly last: boolean }
  | { readonly refused: 'downgrade' | 'unknown'; readonly why: string };
export function nextStep(current: string | undefined, wanted: KubernetesRelease, table: readonly KubernetesRelease[]): VersionStep {
  if (current === undefined) return { to: wanted, last: true };
  const m = (v: string) => Number(v.split('.')[1]);
  if (m(wanted.version) < m(current)) return { refused: 'downgrade', why: 'older' };
  if (m(wanted.version) <= m(current) + 1) return { to: wanted, last: true };
  const to = table.filter((r) => m(r.version) === m(current) + 1).at(-1);
  return to === undefined ? { refused: 'unknown', why: 'no' } : { to, last: false };
}
