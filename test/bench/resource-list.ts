import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { foreignObjects } from './package.ts';

/** A package, and objects of nobody beside it, as the ResourceList that kpt makes of them. */
export function resourceList(folder: string, foreign = 0): string {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const items = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/^---\n/m)
      .map((text, index) => item(text, relative(folder, file), index)),
  );
  const others = foreignObjects(foreign).map((text, i) => item(text, `other/part-${Math.floor(i / 100)}.yaml`, i % 100));
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${[...items, ...others].join('')}`;
}

function item(text: string, path: string, index: number): string {
  const place = ['', 'internal.'].map(
    (prefix) => `    ${prefix}config.kubernetes.io/index: '${index}'\n    ${prefix}config.kubernetes.io/path: '${path}'\n`,
  );
  const annotated = text.includes('\n  annotations:\n')
    ? text.replace('\n  annotations:\n', `\n  annotations:\n${place.join('')}`)
    : text.replace(/\n {2}name: .*\n/, (line) => `${line}  annotations:\n${place.join('')}`);
  return `- ${annotated.trimEnd().replaceAll('\n', '\n  ')}\n`;
}
