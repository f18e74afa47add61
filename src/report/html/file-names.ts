const PLAIN = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const LONGEST = 200;

/**
 * A name of a file for each tenant (`namespace/name`), safe on every disk and in every link. Where names are legal they are the
 * tenant's own and stay, whatever tenants come and go; namespaces hold no dot, so two never meet.
 */
export function fileNames(keys: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  keys.forEach((key, index) => {
    const name = key.replace('/', '.');
    names.set(key, PLAIN.test(name) && name.length <= LONGEST ? name : `tenant_${index + 1}`);
  });
  return names;
}
