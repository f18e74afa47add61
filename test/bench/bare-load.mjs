// The floor that a render is measured against: js-yaml's loadAll over the same files, and nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';

const entries = readdirSync(process.argv[2], { withFileTypes: true, recursive: true });
let documents = 0;
for (const entry of entries) {
  if (entry.isFile() && entry.name.endsWith('.yaml')) documents += loadAll(readFileSync(join(entry.parentPath, entry.name), 'utf8')).length;
}
process.stdout.write(`${documents}\n`);
