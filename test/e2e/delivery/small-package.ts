import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../workspace.ts';

/** One tenant, `team-dev/dev`, with two Deployments and so many ConfigMaps `m0`, `m1`, … . */
export function smallPackage(folder: string, { configMaps = 0 }: { readonly configMaps?: number } = {}): string {
  const source = join(ROOT, 'examples/delivery/kpt');
  cpSync(source, folder, { recursive: true, filter: (file) => !/^\/host(\/|$)/.test(file.slice(source.length)) });
  for (let index = 0; index < configMaps; index++) {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m${index} }\ndata: { of: m${index} }\n`;
    writeFileSync(join(folder, `tenants/dev/objects/m${index}.yaml`), text);
  }
  return folder;
}

/** Changes one of its files; what is sought has to be there. */
export function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} holds no ${from}`);
  writeFileSync(file, text.replace(from, to));
}
