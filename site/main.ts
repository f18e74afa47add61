// Builds the docs site. Usage: npm run site [-- DIR], by default into site/dist
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './build-site.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const outDir = resolve(process.argv[2] ?? `${root}/site/dist`);
const count = await buildSite(root, outDir);
console.log(`${count} pages in ${outDir}`);
