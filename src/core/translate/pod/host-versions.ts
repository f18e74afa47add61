import { at, type JsonObject, type Path } from '../../kube/json.ts';
import type { Edit } from '../edit.ts';
import type { Step } from '../translation.ts';
import { eachContainer, podView } from './pod-view.ts';

/** A field that a host below a version drops or ignores without a word. */
interface Row {
  readonly place: 'pod' | 'container' | 'init container';
  readonly path: readonly string[];
  /** the value that would be missed; any, where it is not given */
  readonly value?: string | boolean;
  /** first minor version that serves the field by default */
  readonly since: number;
  readonly why: string;
  readonly fix: string;
}

const APP_ARMOR: Omit<Row, 'place'> = {
  path: ['securityContext', 'appArmorProfile', 'type'],
  since: 30,
  why: 'the field is dropped before 1.30 (KEP-24)',
  fix: 'Do not count on it on this host.',
};

const ROWS: readonly Row[] = [
  {
    place: 'pod',
    path: ['hostUsers'],
    value: false,
    since: 33,
    why: 'user namespaces are off by default before 1.33 (KEP-127)',
    fix: 'Do not count on it on this host.',
  },
  {
    place: 'pod',
    path: ['resources'],
    since: 34,
    why: 'resources of a whole pod are off by default before 1.34 (KEP-2837)',
    fix: 'State resources of containers.',
  },
  {
    place: 'init container',
    path: ['restartPolicy'],
    value: 'Always',
    since: 29,
    why: 'init containers that keep running are off by default before 1.29 (KEP-753), so the pod would never start',
    fix: 'Make it an ordinary container.',
  },
  { place: 'pod', ...APP_ARMOR },
  { place: 'container', ...APP_ARMOR },
];
const NEWEST: number = Math.max(...ROWS.map((row) => row.since));

/** Says what the pod asks for and a host of that version will not do. An unknown host is not guessed at. */
export const hostVersionsStep: Step = (edit, subject, ctx) => {
  const { minor } = ctx.host;
  if (minor === undefined || minor >= NEWEST) return;
  const view = podView(edit, subject);
  if (view === undefined) return;
  for (const row of ROWS) {
    if (minor >= row.since) continue;
    if (row.place === 'pod') look(edit, row, minor, view.spec, view.base);
    else
      eachContainer(view, (container, path) => {
        if (row.place === 'container' || path.includes('initContainers')) look(edit, row, minor, container, path);
      });
  }
};

function look(edit: Edit, row: Row, minor: number, holder: JsonObject, base: Path): void {
  const value = at(holder, ...row.path);
  if (value === undefined || value === null || (row.value !== undefined && value !== row.value)) return;
  const field = row.path.join('.');
  const shown = typeof value === 'object' ? 'set' : String(value);
  edit.note('NotEnforced', { field, value: shown, why: `the host is 1.${minor}, and ${row.why}`, fix: row.fix }, [...base, ...row.path]);
}
