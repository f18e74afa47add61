import type { Answer } from '../../report/answer/answer.ts';
import type { TextStyle } from '../../report/text.ts';
import type { Committed } from './committed.ts';

/** The answer of `why` on files of the tree that no decision accounts for. */
export function committedAnswer(title: string, files: readonly Committed[], style: TextStyle): Answer {
  const records = files.map((file) => ({
    hostFile: { path: file.path, state: 'unaccounted', differs: [] },
    foreign: !file.ours,
    message: messageOf(file),
  }));
  const told = records.map(({ hostFile, message }) => ({ shown: `${style.hostPrefix}${hostFile.path}`, message }));
  return {
    kind: 'WhyReport',
    title,
    document: { subjects: records },
    items: records,
    tables: [
      {
        columns: [{ name: 'file' }, { name: 'answer' }],
        rows: told.map(({ shown, message }) => ({ cells: [shown, message], sign: '?' })),
      },
    ],
    trees: told.map(({ shown, message }) => ({ text: `${shown} ${message}`, children: [] })),
    issues: [],
  };
}

function messageOf({ ours }: Committed): string {
  return ours
    ? 'carries our identity, but no decision of the package as it is now makes it.'
    : 'belongs to nobody here: no decision makes it, and it does not carry the identity of what a render writes. A render leaves it alone.';
}
