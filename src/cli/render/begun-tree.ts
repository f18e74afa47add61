import { CONFIG_FOLDER } from '../../core/plan/config-files.ts';
import { PLATFORM_FOLDER } from '../../core/plan/platform-files.ts';
import { looksOurs } from '../package/looks-ours.ts';

type Texts = ReadonlyMap<string, string>;

const SHARED_FOLDERS: ReadonlySet<string> = new Set([CONFIG_FOLDER, PLATFORM_FOLDER]);

/**
 * What a tree takes over of the package's own because no whole render ever wrote it: all, or what a render with `--tenant` left
 * out. A tenant that stands there already has its own history.
 */
export function takenOver(own: Texts | undefined, standing: Texts): Texts {
  const there = [...ours(standing).keys()];
  if (there.some(isShared)) return new Map();
  const tenants = new Set(there.map(topOf).filter((folder) => !SHARED_FOLDERS.has(folder)));
  return new Map([...ours(own)].filter(([path]) => !tenants.has(topOf(path))));
}

/** What only a whole render writes: a FlowSchema lies among shared files, but is its tenant's. */
function isShared(path: string): boolean {
  return SHARED_FOLDERS.has(topOf(path)) && !path.startsWith(`${PLATFORM_FOLDER}/flowschema.`);
}

/** What lies in the package's own tree and is not ours has no place in a copy of it. */
function ours(texts: Texts | undefined): Texts {
  return new Map([...(texts ?? [])].filter(([, text]) => looksOurs(text)));
}

function topOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf('/')));
}
