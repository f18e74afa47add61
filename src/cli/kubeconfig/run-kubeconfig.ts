import { writeFileSync } from 'node:fs';
import { TENANT_API_PORT } from '../../core/controlplane/endpoint.ts';
import { CONTROL_PLANE } from '../../core/controlplane/names.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import { stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { tenantKubeconfig } from '../../reconciler/pki/tenant-kubeconfig.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { TenantplaneError, writeFailure } from '../errors.ts';
import { openHost, type Reach } from '../facts/open-host.ts';
import { withinLimit } from '../facts/within-limit.ts';
import type { CliContext } from '../io.ts';
import { calledAt, checkServer } from './called-at.ts';
import { findTenant, fullName, readTenantName } from './find-tenant.ts';
import { kubeconfigDocument } from './kubeconfig-report.ts';
import { publishedKubeconfig, unready } from './published-kubeconfig.ts';

export interface KubeconfigFlags {
  /** `shop` or `team-shop/shop` */
  readonly tenant: string;
  readonly namespace?: string;
  readonly reach: Reach;
  /** the one that it was published with, one of the tenant's status, or a URL */
  readonly address: string;
  readonly outputFile?: string;
  /** a report on stdout; needs the file */
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Prints the kubeconfig of a tenant's control plane. */
export async function runKubeconfig(flags: KubeconfigFlags, { io }: CliContext): Promise<void> {
  const wanted = readTenantName(flags.tenant, flags.namespace);
  const named = ['published', 'external', 'internal'].includes(flags.address);
  if (!named) checkServer(flags.address);
  const host = await openHost(flags.reach, io);
  const { tenant, published } = await withinLimit(io.signal, async (signal) => {
    const found = await findTenant(host, wanted, signal);
    const namespace = controlPlaneNamespace(nameOf(found), namespaceOf(found) ?? '');
    return { tenant: found, published: await publishedKubeconfig(host, found, { namespace, now: io.now(), signal }) };
  }).finally(() => host.close());
  const server = named ? addressOf(tenant, flags.address) : flags.address;
  const chosen = server === undefined ? published : calledAt(published, server);
  const text = tenantKubeconfig(chosen);
  const problem = unready(tenant);
  if (flags.outputFile === undefined) io.stdout.write(text);
  else {
    writePrivate(flags.outputFile, text);
    const about = { file: flags.outputFile, problem: problem?.words };
    if (flags.json) io.stdout.write(`${jsonText(kubeconfigDocument(tenant, chosen, about), 2)}\n`);
  }
  if (flags.quiet) return;
  if (problem !== undefined)
    io.stderr.write(`warning: tenant ${fullName(tenant)}: ${visible(problem.words)}\n  try: ${visible(problem.hint)}\n`);
  if (chosen.server === stringAt(tenant, 'status', 'endpoint')) io.stderr.write(forwarding(tenant, flags));
}

/** @returns undefined where it stays as published */
function addressOf(tenant: KubeObject, which: string): string | undefined {
  if (which === 'published') return undefined;
  const address = stringAt(tenant, 'status', which === 'external' ? 'externalEndpoint' : 'endpoint');
  if (address !== undefined) return address;
  throw new TenantplaneError('input', `Tenant ${fullName(tenant)} has no ${which} address.`, {
    hint:
      which === 'external'
        ? 'expose.loadBalancer of the TenantCluster asks for one; it takes the host a while. --server names another.'
        : 'The reconciler writes it once it has looked at the tenant. --server names another.',
  });
}

function forwarding(tenant: KubeObject, { reach: { kubeconfig, context }, outputFile }: KubeconfigFlags): string {
  const [namespace, name] = [namespaceOf(tenant) ?? '', nameOf(tenant)];
  const host = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', shellWord(kubeconfig)]),
    ...(context === undefined ? [] : ['--context', shellWord(context)]),
  ];
  const forwarded = `https://127.0.0.1:${TENANT_API_PORT}`;
  const words = (...parts: readonly string[]): string => `  ${[...parts, ...host].join(' ')}`;
  // the file is there now, so --output-file would refuse it; it keeps its rights
  const into = outputFile === undefined ? '' : ` > ${shellWord(outputFile)}`;
  return [
    'The address is one inside the host cluster. From outside it:',
    words('kubectl port-forward -n', shellWord(controlPlaneNamespace(name, namespace)), `pod/${CONTROL_PLANE}-0 ${TENANT_API_PORT}`),
    words('tenantplane kubeconfig', shellWord(`${namespace}/${name}`), '--server', forwarded) + into,
    '',
  ].join('\n');
}

function writePrivate(path: string, text: string): void {
  try {
    // one that is there keeps its rights when it is written to, so it may not be there
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new TenantplaneError('input', `${path} is there already.`, { hint: 'Name another file, or remove it.', cause: error });
    }
    throw writeFailure(error, path, 'Nothing was written.');
  }
}
