import { describe, expect, test } from 'vitest';
import { HOST_PATH_POD, tenantplane, twoTenants } from '../cli/harness.ts';
import { code, readPage, tableRows } from './markdown.ts';

const TEXT = readPage('docs/errors.md');
const ROWS = tableRows(TEXT.slice(TEXT.indexOf('<!-- grades'), TEXT.indexOf('<!-- /grades'))).slice(1);

const UNRESOLVED = HOST_PATH_POD.replace('hostPath: {path: /var}', 'configMap: {name: nowhere}').replace(
  '    image: app\n',
  '    image: app\n    securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}\n',
);

/** A package for each word, with nothing worse in it. */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  warning: { 'tenants/dev/objects/p.yaml': UNRESOLVED },
  refused: { 'tenants/dev/objects/p.yaml': HOST_PATH_POD },
  frozen: { 'tenants/dev/objects/p.yaml': 'a: 1\nb: [\n' },
  stopped: { 'p.yaml': 'a: 1\nb: [\n' },
};

describe('the words of docs/errors.md', () => {
  test('are these', () => {
    expect(ROWS.map(([word]) => word)).toEqual(Object.keys(PACKAGES));
  });

  test.each(ROWS.map((row) => row.map((cell) => cell.replace(/^`([^`]*)`$/, '$1'))))(
    '%s reads as the table says',
    async (word = '', _ = '', sign = '', exit = '', github = '', __ = '', ___ = '', failing = '') => {
      const files = PACKAGES[word];
      const rendered = await tenantplane(['render'], { cwd: twoTenants(files) });
      expect(String(rendered.code)).toBe(exit);
      expect(rendered.out + rendered.err).toMatch(new RegExp(`^ *${sign.replace('?', '\\?')}`, 'm'));
      const checked = await tenantplane(['validate', '-o', 'github'], { cwd: twoTenants(files) });
      expect(checked.out.split('\n')[0]).toMatch(new RegExp(`^${github} `));
      const fails = ['rejected', 'refused', 'warning', 'never'].map(async (grade) => {
        const result = await tenantplane(['render', '--fail-on', grade], { cwd: twoTenants(files) });
        return result.code === 0 ? '' : `\`${grade}\``;
      });
      const row = ROWS.find(([first]) => first === word)?.[7];
      expect((await Promise.all(fails)).filter((grade) => grade !== '').join(', ')).toBe(row);
      expect(failing).not.toBe('');
    },
  );

  test.each(tableRows(TEXT.slice(TEXT.indexOf('## What people meet most'))).slice(1))('%s is a code', async (message = '') => {
    const [number, name] = code(message).split(' ');
    expect((await tenantplane(['explain-code', name ?? ''])).out).toContain(`${number} ${name}\n`);
  });
});
