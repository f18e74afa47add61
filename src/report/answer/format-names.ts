/** Names of the formats, apart from what prints them: a command's flags need the names at start, the printers only later. */
export const ANSWER_FORMATS = ['text', 'table', 'wide', 'tree', 'json', 'yaml', 'ndjson'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export function isAnswerFormat(word: string): word is AnswerFormat {
  return ANSWER_FORMATS.some((format) => format === word);
}
