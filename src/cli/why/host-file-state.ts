import { posix } from 'node:path';
import { differences } from '../../core/explain/differences.ts';
import type { Found } from '../../core/explain/find-subjects.ts';
import { pointer } from '../../core/kube/pointer.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import type { Held } from './held.ts';
import { type OpenPackage, readText } from './open-package.ts';

/** How a rendered file on the disk stands to what a render would write now. */
export interface HostFileState {
  readonly state: 'current' | 'missing' | 'edited' | 'differs' | 'leaving';
  readonly words: string;
  /** pointers of the fields that differ; never values, which may be a Secret's */
  readonly fields: readonly string[];
}

const WAITS: Readonly<Record<Held['state'], string>> = { frozen: 'its tenant is frozen', stopped: 'the render stops' };

export function hostFileState({ decision, file }: Found, open: OpenPackage, held: Held | undefined): HostFileState | undefined {
  const path = decision.host?.file;
  if (path === undefined) return undefined;
  const text = readText(open, posix.join(HOST_FOLDER, path));
  if (decision.action === 'Delete')
    return {
      state: 'leaving',
      words: held === undefined ? 'leaves the tree with the next render' : `stays for now: ${WAITS[held.state]}`,
      fields: [],
    };
  if (text === undefined) {
    const next = held === undefined ? 'tenantplane render writes it' : WAITS[held.state];
    return { state: 'missing', words: `is not in the tree yet: ${next}`, fields: [] };
  }
  if (file === undefined) return { state: 'current', words: 'stays as it last was', fields: [] };
  if (text === (file.text ?? emitYaml(file.object)))
    return {
      state: 'current',
      words: held === undefined ? 'is what a render gives' : `is what a render would give: ${WAITS[held.state]}`,
      fields: [],
    };
  const [first] = readDocuments(text, path).objects;
  const fields = differences(first?.object, file.object).map(pointer);
  // a render writes bytes in one way only, so others are somebody's
  if (first === undefined || emitYaml(first.object) !== text)
    return { state: 'edited', words: 'was edited by hand: a render does not write it like this', fields };
  return { state: 'differs', words: 'is stale or was edited by hand: a render would write it otherwise', fields };
}
