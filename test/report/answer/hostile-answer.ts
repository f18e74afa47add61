import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import type { Answer } from '../../../src/report/answer/answer.ts';
import type { FormatTools } from '../../../src/report/answer/format-tools.ts';
import { PLAIN } from '../../../src/report/text.ts';

export const TOOLS: FormatTools = { style: PLAIN, yaml: emitYaml, repoPath: (path) => path };

/** What a tenant may write into a label, a value or a name of its own, by the sink that would obey it. */
export const HOSTILE: Readonly<Record<string, string>> = {
  terminal: '\u001b[2J\u001b]8;;http://evil.example\u0007here',
  'line breaks': 'a\r\nb\u2028c\n\n# heading',
  'workflow command': 'x\n::error::y ::stop-commands::z %0A::warning::w',
  'a command that begins a line': '::error file=a::x',
  'a command after white space': ' \u3000::add-mask::x',
  'commands anywhere': 'x ##vso[task.setvariable variable=a]b ##[error]c ###[group]d ##teamcity[e]',
  'a section': '\u001b[0Ksection_start:1700000000:a[collapsed=true]\r\u001b[0Kx section_end:1:a',
  html: '<img src=x onerror=alert(1)></td></table></script><script>alert(2)</script>',
  'closing sections': ']]></failure></testcase><!-- x --></details><!-- tenantplane:pr:v1 -->',
  markdown:
    '[click](http://evil.example) ![i](http://evil.example/i.png) **b** _e_ ~~s~~ http://evil.example www.evil.example a@evil.example',
  references: '@everyone #1 GH-1 org/repo#2 !3 ~label group/project!4 &5 :tada: 0123456789abcdef0123456789abcdef01234567',
  fence: '``` ```` ` ~~~\n```sh\nrm',
  'table pipe': 'a | b |\n|---|---| \\| c \\',
  'code and pipe': '`a|b` `` | ``',
  bidi: 'user\u202e\u2066gnp.\u2069',
  'zero width': 'ad\u200bmin\ufeff\u{e0041}',
  'half of a pair': 'a\ud800b',
  graph: '"]; n0 -> n1; click n0 "javascript:alert(1)" \\N \\"',
  'mermaid line': '"] --> x["<b>`md`</b>"]; %%{init: {}}%% #quot; end',
  sarif: '[text](1) {0} \\[a\\](2)',
  entities: '&lt;b&gt; &#64;all &amp;',
  'code unknown to us': 'TP99999',
};

/** An answer that holds the text in every place where an answer holds text. */
export function hostileAnswer(text: string): Answer {
  const issue = { code: text, reason: text, message: text, remedy: text, object: text, tenant: text } as const;
  return {
    kind: 'WhyReport',
    title: text,
    document: { value: text, [text]: [text] },
    items: [{ value: text, [text]: text }],
    tables: [
      {
        title: text,
        columns: [{ name: text }, { name: 'two' }, { name: 'three', wide: true }],
        rows: [{ cells: [text, `x ${text} y`, text], sign: '!' }, { cells: ['a', 'b', 'c'] }],
      },
    ],
    trees: [{ text, sign: '+', children: [{ text: `x ${text}`, children: [] }] }],
    graph: {
      nodes: [
        { id: text, label: text, group: text },
        { id: 'b', label: `x ${text}`, group: '' },
      ],
      edges: [{ from: text, to: 'b', label: text }],
    },
    issues: [
      { ...issue, grade: 'error', source: { path: `tenants/${text}/a.yaml`, document: 0, line: 3 }, pointer: `/${text}` },
      { ...issue, grade: 'refused' },
      { ...issue, grade: 'warning' },
    ],
    subjects: ['team-a/clean', text],
  };
}
