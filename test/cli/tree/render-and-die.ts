// Renders a tree and kills its own process in the middle. Arguments: root, name of a write, which one of them, files as JSON.
import { compareTree } from '../../../src/cli/tree/compare-tree.ts';
import { DISK, paceOf, type TreeFs } from '../../../src/cli/tree/tree-fs.ts';
import { writeTree } from '../../../src/cli/tree/write-tree.ts';

const [root = '', write = '', nth = '', json = '{}'] = process.argv.slice(2);
let left = Number(nth);
const fs: TreeFs = {
  ...DISK,
  linkSync: (from, to) => {
    dieAt('linkSync');
    DISK.linkSync(from, to);
  },
  renameSync: (from, to) => {
    dieAt('renameSync');
    DISK.renameSync(from, to);
  },
};

function dieAt(name: string): void {
  if (name !== write) return;
  left -= 1;
  if (left > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // the signal may take a moment
  for (;;);
}

const files = Object.entries(JSON.parse(json)).map(([path, text]) => ({ path, text: () => String(text) }));
const pace = paceOf(new AbortController().signal);
await writeTree(await compareTree(root, files, ['a/deep/three.yaml'], pace, fs), { write: new Map(), remove: [] }, pace, fs);
