import { decide } from '../decision/decide.ts';
import { KEY, MANAGED_BY } from '../identity/metadata.ts';
import { clone, type JsonObject, objectAt } from '../kube/json.ts';
import { kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import { isReservedLabel } from '../translate/labels.ts';
import { hostRef } from './finish-tenant.ts';
import { fileName } from './host-path.ts';
import type { HostFile, InputObject } from './plan-types.ts';
import { sourceRef } from './subjects.ts';

/** The tree's folder for the reconciler's own resources. */
export const CONFIG_FOLDER = 'config';

/** Profiles, policies and TenantClusters as the reconciler gets them: as they stand, less what speaks to tools of the package. */
export function configFiles(inputs: readonly InputObject[]): HostFile[] {
  return inputs.map((input) => {
    const object = clone(input.object);
    delete object['status'];
    const metadata = objectAt(object, 'metadata');
    if (metadata !== undefined) {
      for (const [key] of Object.entries(objectAt(metadata, 'annotations') ?? {})) {
        if (isReservedLabel(key)) delete (metadata['annotations'] as JsonObject)[key];
      }
    }
    stampMetadata(
      object,
      { [KEY.managedBy]: MANAGED_BY },
      { [KEY.origin]: 'git', ...(input.source.path !== '' && { [KEY.sourcePath]: input.source.path }) },
    );
    const name = nameOf(object);
    const namespace = namespaceOf(object);
    const path = `${CONFIG_FOLDER}/${fileName(object, namespace === undefined ? name : `${namespace}.${name}`)}`;
    const decision = decide({
      tenant: { namespace: namespace ?? '', name: kindOf(object) === 'TenantCluster' ? name : '' },
      source: sourceRef(input),
      host: hostRef(object, path),
      flow: 'ToHost',
      action: 'Create',
      reason: 'ConfigCopied',
      params: { kind: kindOf(object), source: namespace === undefined ? name : `${namespace}/${name}` },
      causes: ['output.config'],
    });
    return { path, object, decision };
  });
}
