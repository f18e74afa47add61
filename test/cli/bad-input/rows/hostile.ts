import { configMap } from '../../harness.ts';
import { BAD, type Row, tenantFile } from '../row.ts';

const named = (name: string): string => `tenants/dev/objects/${name}.yaml`;
const BROKEN = 'a: [\n';

/** What a tenant might try, having nothing but the files below its own objects/. */
export const HOSTILE: readonly Row[] = [
  tenantFile(
    'an IsolationProfile from a tenant',
    'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: mine}\nspec: {level: baseline}\n',
  ),
  tenantFile(
    'a TenantCluster from a tenant',
    'apiVersion: tenantplane.io/v1alpha1\nkind: TenantCluster\nmetadata: {name: qa, namespace: team-qa}\nspec: {}\n',
  ),
  tenantFile('a function config from a tenant', 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nspec: {failOn: never}\n'),
  tenantFile(
    'a CustomResourceDefinition from a tenant',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\n',
  ),
  tenantFile(
    'an object that says it is another tenant’s',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bad\n  annotations: {tenantplane.io/tenant-cluster: team-qa/qa}\n',
  ),
  tenantFile('one object twice', configMap('a')),
  tenantFile('a ClusterRoleBinding', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: bad}\n'),
  tenantFile('a namespace that climbs', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad, namespace: ../../qa}\n'),
  tenantFile('a name that climbs', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ../../etc/passwd}\n'),
  tenantFile(
    'a function that the tenant wants run',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bad\n  annotations:\n    config.kubernetes.io/function: "container: {image: evil}"\n',
  ),
  tenantFile(
    'a host path',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: bad\nspec:\n  containers:\n  - {name: app, image: app}\n  volumes:\n  - name: root\n    hostPath: {path: /}\n',
  ),
  tenantFile('a name that a terminal obeys', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "\\e[2J\\e[31mall is well"}\n'),
  tenantFile('a name that reads backwards', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "\\u202edlrow"}\n'),
  tenantFile('a kind with line breaks', 'apiVersion: v1\nkind: "Config\\nerror: forged\\n"\nmetadata: {name: bad}\n'),
  { what: 'a link to a file outside of the package', files: { [BAD]: { link: '/etc/hostname' } } },
  { what: 'a link to a folder outside of the package', files: { 'tenants/dev/objects/more': { link: '/etc' } } },
  { what: 'a link to nothing', files: { [BAD]: { link: 'nowhere.yaml' } } },
  { what: 'a link that goes round', files: { [BAD]: { link: 'bad.yaml' } } },
  { what: 'a linked host/', remove: ['host'], files: { host: { link: '/tmp' } } },
  { what: 'a link inside host/', files: { 'host/team-dev/more': { link: '/tmp' } } },
  {
    what: 'a link in the place of a rendered file',
    remove: ['host/team-dev/configmap_a-x-default-x-dev.yaml'],
    files: { 'host/team-dev/configmap_a-x-default-x-dev.yaml': { link: '/etc/hostname' } },
  },
  { what: 'a name inside host/ that is no UTF-8', files: { 'host/team-dev/latin-\udce9.yaml': 'x' } },
  { what: 'host/ is a file', remove: ['host'], files: { host: 'text' } },
  {
    what: 'a folder in the place of a rendered file',
    remove: ['host/team-dev/configmap_a-x-default-x-dev.yaml'],
    files: { 'host/team-dev/configmap_a-x-default-x-dev.yaml/x': '' },
  },
  { what: 'a file name with a line break', files: { [named('a\nerror: forged')]: BROKEN } },
  { what: 'a file name that a terminal obeys', files: { [named('\u001b[2J')]: BROKEN } },
  { what: 'a file name that reads backwards', files: { [named('\u202elmay')]: BROKEN } },
  { what: 'a file name that is no UTF-8', files: { [named('latin-\udce9')]: BROKEN } },
  { what: 'a folder name that is no UTF-8', files: { 'tenants/dev/objects/latin-\udce9/bad.yaml': BROKEN } },
  { what: 'a file name of 250 bytes', files: { [named('n'.repeat(245))]: BROKEN } },
  { what: 'rendered files whose names differ only in case', files: { 'host/team-dev/ConfigMap_a-x-default-x-dev.yaml': 'mine' } },
  { what: 'a folder of the tenant that is called host', files: { 'tenants/dev/objects/host/bad.yaml': BROKEN } },
  { what: 'objects/ within objects/', files: { 'tenants/dev/objects/qa/objects/bad.yaml': BROKEN } },
  { what: 'objects/ without a TenantCluster', files: { 'tenants/ghost/objects/x.yaml': configMap('x') } },
];
