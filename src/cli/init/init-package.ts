import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { type ExampleObject, exampleIsolationProfile, exampleSyncPolicy, exampleTenantCluster } from '../../schema/example-objects.ts';
import { TenantplaneError, writeFailure } from '../errors.ts';
import { APPLICATION } from './application.ts';

export interface InitFlags {
  /** absolute */
  readonly folder: string;
  readonly tenant: string;
  readonly namespace: string;
  readonly level: 'baseline' | 'restricted' | 'sandboxed';
}

/** Writes a new package and overwrites nothing. @returns its files, relative to the folder */
export function initPackage(flags: InitFlags): readonly string[] {
  const { tenant, level } = flags;
  const files: Readonly<Record<string, string>> = {
    [`tenants/${tenant}/tenant.yaml`]: commented(
      'A tenant: where its workloads run (metadata.namespace), inside which boundary, and which kinds cross it.',
      exampleTenantCluster(tenant, { namespace: flags.namespace, isolationProfile: level, egressPolicy: 'allow-same-tenant' }),
    ),
    [`tenants/${tenant}/objects/web.yaml`]: APPLICATION,
    [`profiles/${level}.yaml`]: commented('The boundary that tenants live inside.', exampleIsolationProfile(level, { level })),
    'policies/default.yaml': commented(
      'Which kinds cross from a tenant to the host. What is not listed stays out, with a reason.',
      exampleSyncPolicy('default'),
    ),
  };
  const there = Object.keys(files).filter((path) => existsSync(join(flags.folder, path)));
  if (there.length > 0) {
    throw new TenantplaneError('usage', `${flags.folder} has ${there.join(', ')} already; nothing was written.`, {
      hint: 'Name another folder, or another --tenant.',
    });
  }
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(flags.folder, path)), { recursive: true });
      writeFileSync(join(flags.folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw writeFailure(error, flags.folder, 'Some files of the new package may be there.');
  }
  return Object.keys(files);
}

function commented(comment: string, { object, problems }: ExampleObject): string {
  const [first] = problems;
  if (first !== undefined) throw new TenantplaneError('usage', first.message, { hint: first.remedy });
  return `# ${comment}\n${emitYaml(object)}`;
}
