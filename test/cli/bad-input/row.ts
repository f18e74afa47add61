import { PLATFORM, tenantYaml } from '../harness.ts';

/** What a path of the package becomes: text, bytes, or a symbolic link. */
export type Content = string | Uint8Array | { readonly link: string };

/** One broken or hostile input: a change to a package that is legal and rendered, and the command that meets it. */
export interface Row {
  /** what is wrong, in a few words; unique */
  readonly what: string;
  /** files that were there when the tree was rendered; they are gone when the command runs */
  readonly before?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Content>>;
  readonly remove?: readonly string[];
  /** paths whose rights are taken away while the command runs */
  readonly unreadable?: readonly string[];
  readonly readOnly?: readonly string[];
  readonly argv?: readonly string[];
  /** big or many-fold: run as a process of its own, and measured */
  readonly heavy?: true;
}

/** The package that every row starts from. Two tenants, so that one can be seen to stay out of the other's trouble. */
export const PACKAGE: Readonly<Record<string, string>> = {
  'platform.yaml': PLATFORM,
  'boxed.yaml': 'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: boxed}\nspec: {level: sandboxed}\n',
  'tenants/dev/tenant.yaml': tenantYaml('dev'),
  'tenants/dev/objects/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: a}\n',
  'tenants/qa/tenant.yaml': tenantYaml('qa'),
  'tenants/qa/objects/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {key: b}\n',
};

/** Where a tenant may write. */
export const BAD = 'tenants/dev/objects/bad.yaml';
export const TENANT = 'tenants/dev/tenant.yaml';

/** A row that adds one file of the tenant. */
export function tenantFile(what: string, content: Content, more: Partial<Row> = {}): Row {
  return { what, files: { [BAD]: content }, ...more };
}

/** A row that puts lines under the spec of the tenant's own TenantCluster. */
export function tenantSpec(what: string, lines: string, more: Partial<Row> = {}): Row {
  return { what, files: { [TENANT]: tenantYaml('dev', lines) }, ...more };
}

/** A row in whose package the tenant uses a profile of that spec. */
export function profileSpec(what: string, lines: string, more: Partial<Row> = {}): Row {
  return { what, files: { 'platform.yaml': PLATFORM.replace('spec: {level: restricted}\n', `spec:\n${lines}`) }, ...more };
}

/** A row whose policy has further lines under its spec; the spec ends with `resources`, so indented items add entries. */
export function policySpec(what: string, lines: string, more: Partial<Row> = {}): Row {
  return { what, files: { 'platform.yaml': `${PLATFORM}${lines}` }, ...more };
}

export function tenantOf(name: string, namespace: string, spec = ''): string {
  return tenantYaml(name, spec).replace(`namespace: team-${name}`, `namespace: ${namespace}`);
}
