/** Minor versions of Kubernetes whose fields and Pod Security rules are in the tables of the core. */
export const OLDEST = 28;
export const NEWEST = 37;

export function minorOf(version: string): number | undefined {
  const minor = /^v?1\.(\d+)/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** What is wrong with the version of a host; undefined where something is known of it. */
export function versionProblem(version: string): string | undefined {
  const minor = minorOf(version);
  if (minor === undefined || (minor >= OLDEST && minor <= NEWEST)) return undefined;
  return `is ${version}, of which nothing is known: this version knows 1.${OLDEST} to 1.${NEWEST}.`;
}
