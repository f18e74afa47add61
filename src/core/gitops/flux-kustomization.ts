import type { JsonObject } from '../kube/json.ts';
import { ISOLATION_FOLDER } from '../plan/host-path.ts';
import { kustomizationName } from './applier-names.ts';
import type { TreeFolder } from './tree-folders.ts';

/** Where the tree lies, as Flux calls it. */
export interface FluxSettings {
  readonly source: { readonly kind: string; readonly name: string };
  /** of `host/` in the source */
  readonly path: string;
  /** a prefix of all names */
  readonly name: string;
  /** of the Kustomizations themselves and their source */
  readonly namespace: string;
  readonly interval: string;
  /** false while objects move between folders */
  readonly prune: boolean;
}

/** What one Kustomization applies: a folder, or a half of a tenant's that is not spread. */
interface Part {
  readonly name: string;
  readonly folder: TreeFolder;
  readonly turn: Turn;
  /** of the tenant; the platform's and the configuration's own path else */
  readonly owner: string;
  /** objects of the folder that another Kustomization applies */
  readonly without?: string;
}

type Turn = 'platform' | 'isolation' | 'objects' | 'config';

/** By labels of the rendered objects: Namespaces and what closes them, and all else. */
const ISOLATION_ROLES = '(workload, control-plane, isolation)';

/** A Kustomization for each of `folders`, two for a tenant: Flux applies network policies behind Deployments, and that is too late. */
export function fluxKustomizations(folders: readonly TreeFolder[], settings: FluxSettings): readonly JsonObject[] {
  const parts = folders.flatMap((folder) => partsOf(folder, settings.name));
  return parts.map((part) => fluxKustomization(part, parts, settings));
}

function partsOf(folder: TreeFolder, prefix: string): readonly Part[] {
  const name = kustomizationName(prefix, folder.path);
  const [owner = '', part] = folder.path.split('/');
  if (folder.role !== 'tenant') return [{ name, folder, owner, turn: folder.role }];
  if (part !== undefined) return [{ name, folder, owner, turn: part === ISOLATION_FOLDER ? 'isolation' : 'objects' }];
  const isolation = kustomizationName(prefix, `${folder.path}/${ISOLATION_FOLDER}`);
  return [
    { name: isolation, folder, owner, turn: 'isolation', without: `tenantplane.io/role notin ${ISOLATION_ROLES}` },
    { name, folder, owner, turn: 'objects', without: `tenantplane.io/role in ${ISOLATION_ROLES}` },
  ];
}

function fluxKustomization(part: Part, parts: readonly Part[], settings: FluxSettings): JsonObject {
  const before = parts.filter((other) => WAITS_FOR[part.turn](other, part)).map(({ name }) => ({ name }));
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: part.name, namespace: settings.namespace },
    spec: {
      ...(before.length > 0 && { dependsOn: before }),
      interval: settings.interval,
      retryInterval: '1m',
      timeout: '5m',
      sourceRef: { kind: settings.source.kind, name: settings.source.name },
      path: `./${settings.path}/${part.folder.path}`,
      prune: settings.prune,
      wait: true,
      // policies and configuration outlive their Kustomization: a cluster whose admission policies went with a file would stand open
      ...(part.folder.role !== 'tenant' && { deletionPolicy: 'Orphan' }),
      ...(part.without !== undefined && { patches: [{ target: { labelSelector: part.without }, patch: DELETE }] }),
    },
  };
}

/** Pods start behind their own policies only, and nobody's pods hold back the configuration of all. */
const WAITS_FOR: Readonly<Record<Turn, (other: Part, part: Part) => boolean>> = {
  platform: () => false,
  isolation: (other) => other.turn === 'platform',
  objects: (other, part) => other.turn === 'isolation' && other.owner === part.owner,
  config: (other) => other.turn === 'isolation' || other.turn === 'platform',
};

/** A patch has to name something; its target decides. */
const DELETE = '$patch: delete\napiVersion: v1\nkind: Any\nmetadata:\n  name: any\n';
