import { BAD, type Row, tenantFile } from '../row.ts';

const object = (lines: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bad\n${lines}`;

/** 9 levels of 9: 514 bytes that are four thousand million nodes. */
function bomb(): string {
  let text = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n';
  for (let level = 1; level <= 9; level += 1) {
    const items = Array.from({ length: 9 }, () => `*a${level - 1}`);
    text += `a${level}: &a${level} [${items.join(', ')}]\n`;
  }
  return text;
}

const utf16 = (text: string): Uint8Array => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

/** Text that is no YAML, or YAML that Kubernetes has no use for. */
export const SYNTAX: readonly Row[] = [
  tenantFile('a tab for indentation', object('data:\n\tkey: v\n')),
  tenantFile('an unclosed bracket', object('data: {key: [1, 2}\n')),
  tenantFile('an unclosed quote', object('data:\n  key: "v\n')),
  tenantFile('a line without a colon', object('data:\n  key v\n  other: w\n')),
  tenantFile('a wrong indentation', object('data:\n    key: v\n  other: w\n')),
  tenantFile('a colon inside a plain value', object('data:\n  key: a: b\n')),
  tenantFile('a Helm template', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n'),
  tenantFile('a merge conflict', object('data:\n<<<<<<< ours\n  key: a\n=======\n  key: b\n>>>>>>> theirs\n')),
  tenantFile('a duplicate key', object('data:\n  key: a\n  key: b\n')),
  tenantFile('a duplicate key at the top', 'apiVersion: v1\nkind: ConfigMap\nkind: Secret\nmetadata: {name: bad}\n'),
  tenantFile('a tag of another language', object('data:\n  key: !!js/function "function () {}"\n')),
  tenantFile('a tag that nobody knows', object('data:\n  key: !vault secret/path\n')),
  tenantFile('an alias without an anchor', object('data:\n  key: *nowhere\n')),
  tenantFile('a merge key that merges a scalar', object('data:\n  <<: text\n')),
  tenantFile('a list as a key', object('data:\n  ? [a, b]\n  : v\n')),
  tenantFile('a null key', object('data:\n  ~: v\n')),
  tenantFile('infinity', object('data:\n  key: .inf\n')),
  tenantFile('not a number', object('data:\n  key: .nan\n')),
  tenantFile('an integer beyond 64 bits', object('data:\n  key: 92233720368547758080\n'), { argv: ['validate', '--fail-on', 'warning'] }),
  tenantFile('a NUL byte', object('data:\n  key: "\0"\n')),
  tenantFile('a control character', object('data:\n  key: "\u0007"\n')),
  tenantFile('a byte that is no UTF-8', Buffer.concat([Buffer.from(object('data:\n  key: ')), Buffer.from([0xe9, 0x0a])])),
  tenantFile('UTF-16', utf16(object(''))),
  tenantFile('a binary file', Buffer.from('7f454c4602010100', 'hex')),
  tenantFile('a line separator of Unicode', object('data:\n  key: a\u2028  other: b\n')),
  tenantFile('YAML 3.0', `%YAML 3.0\n---\n${object('')}`),
  tenantFile('two directives', `%YAML 1.2\n%YAML 1.2\n---\n${object('')}`),
  tenantFile('an alias bomb of 514 bytes', bomb(), { heavy: true }),
  tenantFile('an anchor that holds itself', object('data: &d\n  key: *d\n')),
  tenantFile('5,000 open brackets', '['.repeat(5000), { heavy: true }),
  tenantFile('3,000 nested maps', Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), { heavy: true }),
  tenantFile('a file of 20 MiB', Buffer.alloc(20 * 1024 * 1024, 0x61), { heavy: true }),
  tenantFile('a document of 15 MB', `${object('data:\n')}${Array.from({ length: 700_000 }, (_, n) => `  k${n}: "vvvvvvv"\n`).join('')}`, {
    heavy: true,
  }),
  tenantFile('one object 20,000 times', `---\n${object('')}`.repeat(20_000), { heavy: true }),
  tenantFile('an object of 5 MB', object(`data: {key: ${'v'.repeat(5_000_000)}}\n`), { heavy: true }),
  tenantFile('a list of 50,000 nulls', `apiVersion: v1\nkind: List\nitems:\n${'- null\n'.repeat(50_000)}`, { heavy: true }),
  tenantFile('100,000 empty documents and a broken one', `${'---\n'.repeat(100_000)}a: [\n`, { heavy: true }),
  tenantFile('1 MiB of one key', object(`data:\n  ${'k'.repeat(1024 * 1024)}: v\n  ${'k'.repeat(1024 * 1024)}: v\n`), { heavy: true }),
  tenantFile(
    '50,000 merge keys',
    `a: &a {k: v}\nb:\n${Array.from({ length: 50_000 }, (_, n) => `  k${n}: {<<: [*a, *a, *a]}\n`).join('')}`,
    {
      heavy: true,
    },
  ),
  { what: 'broken YAML among the platform’s files', files: { 'more.yaml': 'a: [1\n' } },
  { what: 'broken JSON', files: { 'tenants/dev/objects/bad.json': '{"apiVersion": "v1",\n "kind": }\n' } },
  { what: 'a bomb in the platform’s files', files: { 'more.yaml': bomb() } },
  { what: 'the second of three documents broken', files: { [BAD]: `${object('')}---\nb: [\n---\n${object('').replace('bad', 'good')}` } },
];
