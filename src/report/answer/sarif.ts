import { REASONS, type ReasonName, reasonOf } from '../../core/decision/reasons.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { visible } from '../escape.ts';
import type { Issue } from '../issues.ts';
import { jsonText } from '../json-text.ts';
import type { Answer } from './answer.ts';
import { fingerprints } from './fingerprints.ts';
import type { FormatTools } from './format-tools.ts';
import { issueText, placeOf } from './issue-place.ts';

/** GitHub refuses a file with more results in a run. */
const MOST_RESULTS = 25_000;

const LEVELS: Readonly<Record<Issue['grade'], string>> = { error: 'error', refused: 'error', warning: 'warning' };

/** SARIF 2.1.0: one run, a rule for each code that is used, always a list of results. */
export function sarifAnswer(answer: Answer, tools: FormatTools): string {
  const issues = answer.issues.slice(0, MOST_RESULTS);
  const codes = [...new Map(issues.map((issue) => [issue.code, issue])).values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  const places = new Map(codes.map(({ code }, index) => [code, index]));
  const names = fingerprints(issues);
  const left = answer.issues.length - issues.length;
  const run: JsonObject = {
    tool: { driver: { name: 'tenantplane', rules: codes.map(rule) } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
    ...(left > 0 && { invocations: [cut(issues.length, answer.issues.length)] }),
    results: issues.map((issue, index) => ({
      ruleId: visible(issue.code),
      ruleIndex: places.get(issue.code) ?? -1,
      level: LEVELS[issue.grade],
      message: { text: message(issueText(issue)) },
      locations: locations(issue, tools),
      partialFingerprints: { 'tenantplane/v1': names[index] ?? '' },
    })),
  };
  return `${jsonText({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)}\n`;
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** From the registry; a code that it does not know is a rule by its name alone. */
function rule({ code, reason, grade }: Issue): JsonObject {
  const known = isReason(reason) && reasonOf(reason).code === code ? reasonOf(reason) : undefined;
  return {
    id: visible(code),
    name: visible(reason),
    ...(known !== undefined && { shortDescription: { text: message(known.message) } }),
    ...(known !== undefined && known.remedy !== '' && { help: { text: message(known.remedy) } }),
    defaultConfiguration: { level: LEVELS[grade] },
  };
}

function isReason(name: string): name is ReasonName {
  return Object.hasOwn(REASONS, name);
}

function locations(issue: Issue, tools: FormatTools): JsonObject[] {
  const place = placeOf(issue, tools);
  if (place === undefined && issue.object === undefined) return [];
  return [
    {
      ...(place !== undefined && {
        physicalLocation: {
          artifactLocation: { uri: place.path.split('/').map(encode).join('/'), uriBaseId: '%SRCROOT%' },
          ...(place.line !== undefined && { region: { startLine: place.line } }),
        },
      }),
      ...(issue.object !== undefined && { logicalLocations: [{ fullyQualifiedName: visible(issue.object) }] }),
    },
  ];
}

function encode(segment: string): string {
  return encodeURIComponent(visible(segment));
}

/** A message may hold links, `[text](target)`, and placeholders, `{0}` (3.11.5 and 3.11.6); ours holds text. */
function message(text: string): string {
  return visible(text)
    .replace(/[[\]\\]/g, '\\$&')
    .replace(/\{(\d+)\}/g, '{{$1}}');
}

function cut(shown: number, all: number): JsonObject {
  const text = `${shown} of ${all} findings are in this file, which is as many as GitHub takes; validate -o json lists all of them.`;
  return { executionSuccessful: true, toolExecutionNotifications: [{ level: 'warning', message: { text } }] };
}
