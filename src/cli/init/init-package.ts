import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finding } from '../../core/decision/finding.ts';
import { isReservedNamespace } from '../../core/plan/check-platform.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { type ExampleObject, exampleIsolationProfile, exampleSyncPolicy, exampleTenantCluster } from '../../schema/example-objects.ts';
import { TenantplaneError, writeFailure } from '../errors.ts';
import { APPLICATION } from './application.ts';
import { type Level, type PlatformThere, platformThere, policyFor, profileFor, type There } from './platform-there.ts';

export interface InitFlags {
  /** absolute */
  readonly folder: string;
  /** absolute: another package, whose profiles and policies count as well */
  readonly platform?: string;
  readonly tenant: string;
  readonly namespace: string;
  /** undefined: any profile that the package has, or a new one at level restricted */
  readonly level?: Level;
}

export interface Initialised {
  /** files that were made, relative to the folder */
  readonly made: readonly string[];
  /** what was there already and is used; its path as a source has it */
  readonly used: readonly (There & { readonly kind: string })[];
}

/** Writes a tenant, and beside it the profile and the policy that a package lacks. Overwrites nothing. */
export async function initPackage(flags: InitFlags, signal: AbortSignal): Promise<Initialised> {
  const { folder, tenant, level = 'restricted' } = flags;
  const there = await platformThere(folder, flags.platform, signal);
  needPlatform(flags, there);
  const profile = profileFor(there, level, flags.level !== undefined);
  const policy = policyFor(there);
  const tenantCluster = exampleTenantCluster(tenant, {
    namespace: flags.namespace,
    isolationProfile: profile?.name ?? level,
    syncPolicy: policy?.name ?? 'default',
    egressPolicy: 'allow-same-tenant',
  });
  const files: Readonly<Record<string, string>> = {
    [`tenants/${tenant}/tenant.yaml`]: commented(
      'A tenant: where its workloads run (metadata.namespace), inside which boundary, and which kinds cross it.',
      tenantCluster,
    ),
    [`tenants/${tenant}/objects/web.yaml`]: APPLICATION,
    ...(profile === undefined && {
      [`profiles/${level}.yaml`]: commented('The boundary that tenants live inside.', exampleIsolationProfile(level, { level })),
    }),
    ...(policy === undefined && {
      'policies/default.yaml': commented(
        'Which kinds cross from a tenant to the host. What is not listed stays out, with a reason.',
        exampleSyncPolicy('default'),
      ),
    }),
  };
  refuseWrongNamespace(flags, there);
  refuseOverwriting(folder, [`tenants/${tenant}`, ...Object.keys(files).filter((path) => !path.startsWith('tenants/'))]);
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw writeFailure(error, folder, 'Some files of the new package may be there.');
  }
  return { made: Object.keys(files), used: [...used('IsolationProfile', profile), ...used('SyncPolicy', policy)] };
}

function used(kind: string, object: There | undefined): Initialised['used'] {
  return object === undefined ? [] : [{ ...object, kind }];
}

/** Tenants without any profile have theirs elsewhere: one of the same name here would stop every render of both together. */
function needPlatform({ folder, platform, level }: InitFlags, { tenants, profiles }: PlatformThere): void {
  if (tenants.length === 0 || profiles.length > 0 || platform !== undefined || level !== undefined) return;
  throw new TenantplaneError(
    'usage',
    `${folder} has tenants and no IsolationProfile: theirs are in another package, it seems. Nothing was written.`,
    {
      hint: 'Name that package with --platform PATH, or ask for a profile in this one: --level restricted.',
    },
  );
}

/** A namespace that would freeze the tenant, or stop the whole package, at its first render. */
function refuseWrongNamespace({ tenant, namespace }: InitFlags, { tenants }: PlatformThere): void {
  const source = { path: `tenants/${tenant}/tenant.yaml`, document: 0 };
  const other = tenants.find((known) => known.namespace === namespace && !known.path.startsWith(`tenants/${tenant}/`));
  const wrong = isReservedNamespace(namespace)
    ? finding('ReservedNamespace', { namespace }, source)
    : other === undefined
      ? undefined
      : finding('NamespaceShared', { namespace, other: other.name }, source);
  if (wrong === undefined) return;
  throw new TenantplaneError('usage', `${wrong.message} Nothing was written.`, { hint: `${wrong.remedy} (--namespace)` });
}

function refuseOverwriting(folder: string, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(join(folder, path)));
  if (there.length === 0) return;
  throw new TenantplaneError('usage', `${folder} has ${there.join(', ')} already; nothing was written.`, {
    hint: 'Name another folder, or another --tenant.',
  });
}

function commented(comment: string, { object, problems }: ExampleObject): string {
  const [first] = problems;
  if (first !== undefined) throw new TenantplaneError('usage', first.message, { hint: first.remedy });
  return `# ${comment}\n${emitYaml(object)}`;
}
