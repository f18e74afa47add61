import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clone } from '../../src/core/kube/json.ts';
import { kindOf } from '../../src/core/kube/object.ts';
import { createEdit } from '../../src/core/translate/edit.ts';
import { EXAMPLES, renderPackage } from '../support/example.ts';
import { ROOT, readPage } from './markdown.ts';

const PAGE = 'examples/apps/wordpress/README.md';
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** What level restricted says of the package that is committed at level baseline. */
async function atRestricted(): Promise<string> {
  const { plan } = await renderPackage(join(EXAMPLES, 'apps/wordpress'), {}, (inputs) =>
    inputs.map((input) => {
      if (kindOf(input.object) !== 'TenantCluster') return input;
      const edit = createEdit(clone(input.object));
      edit.set(['spec', 'isolationProfileRef', 'name'], 'restricted', 'rw.identity');
      return { ...input, object: edit.object };
    }),
  );
  const lines = plan.tenants
    .flatMap((tenant) => tenant.decisions)
    .filter(({ disposition }) => disposition === 'Rejected')
    .flatMap(({ code, reason, source, message, remedy, notes }) => [
      `* ${source?.kind} \`${source?.name}\`: ${code} ${reason}. ${message} *${remedy}*`,
      ...notes.filter(({ severity }) => severity !== 'info').map((note) => `  * and ${note.code} ${note.reason}. ${note.message}`),
    ]);
  return `${lines.join('\n')}\n`;
}

test('the page about WordPress says what restricted says', async () => {
  const block = /(<!-- restricted -->\n)([\s\S]*?)(<!-- \/restricted -->)/;
  const text = await atRestricted();
  if (UPDATE)
    writeFileSync(
      join(ROOT, PAGE),
      readPage(PAGE).replace(block, (_, open: string, __, end: string) => `${open}${text}${end}`),
    );
  expect(block.exec(readPage(PAGE))?.[2]).toBe(text);
});

test('WordPress is refused at restricted, and its database’s Service and claims are not', async () => {
  const text = await atRestricted();
  expect(text).toContain('Deployment `wordpress`: TP3003');
  expect(text).toContain('Deployment `wordpress-mysql`: TP3003');
  expect(text).toContain('Service `wordpress`: TP3030');
  expect(text).not.toContain('PersistentVolumeClaim');
  expect(text).not.toContain('Service `wordpress-mysql`');
});
