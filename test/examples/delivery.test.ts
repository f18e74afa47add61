import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { tenantplane } from '../cli/harness.ts';
import { blocksOf, readPage } from '../docs/markdown.ts';
import { EXAMPLES } from '../support/example.ts';

const ROOT = join(EXAMPLES, '..');
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** `tenantplane … > FILE` in the shell blocks of a page. */
function printing(page: string): { readonly argv: readonly string[]; readonly file: string }[] {
  const lines = blocksOf(readPage(page))
    .filter(({ language }) => language === 'sh')
    .flatMap((block) => block.lines);
  return lines.flatMap((line) => {
    const [, words, file] = /^tenantplane (.*) > (\S+)$/.exec(line) ?? [];
    return words === undefined || file === undefined ? [] : [{ argv: words.split(' '), file }];
  });
}

const COMMANDS = ['argocd', 'flux'].flatMap((folder) => printing(`examples/delivery/${folder}/README.md`));

describe('examples/delivery', () => {
  test('prints three files', () => expect(COMMANDS.map(({ file }) => file)).toHaveLength(3));

  test.each(COMMANDS)('$file is what its command prints', async ({ argv, file }) => {
    const { code, out, err } = await tenantplane(argv, { cwd: ROOT });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    if (UPDATE) writeFileSync(join(ROOT, file), out);
    expect(out).toBe(readFileSync(join(ROOT, file), 'utf8'));
    // the same as JSON
    const json = JSON.parse((await tenantplane([...argv, '-o', 'json'], { cwd: ROOT })).out) as { items: unknown[] };
    expect(json.items).toEqual(loadAll(out));
  });

  test('the plugin’s Application treats objects that are written once as a generated one does', () => {
    const spec = (file: string): Record<string, unknown> => {
      const documents = loadAll(readFileSync(join(EXAMPLES, 'delivery', file), 'utf8')) as {
        kind: string;
        spec: Record<string, unknown>;
      }[];
      return documents.find(({ kind }) => kind === 'Application')?.spec ?? {};
    };
    const [plugin, generated] = [spec('argocd-plugin/application.yaml'), spec('argocd/application.yaml')];
    expect(plugin['ignoreDifferences']).toEqual(generated['ignoreDifferences']);
    expect(plugin['syncPolicy']).toMatchObject({ syncOptions: (generated['syncPolicy'] as { syncOptions: unknown }).syncOptions });
  });

  test('the ApplicationSet’s project is the one beside it', () => {
    const project = load(readFileSync(join(EXAMPLES, 'delivery/argocd/project.yaml'), 'utf8')) as { metadata: { name: string } };
    expect(readFileSync(join(EXAMPLES, 'delivery/argocd/applicationset.yaml'), 'utf8')).toContain(`project: ${project.metadata.name}\n`);
  });
});
