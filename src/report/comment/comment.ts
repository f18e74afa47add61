import { shellWord } from '../../core/decision/shell-word.ts';
import type { Review, ReviewSide } from '../../core/review/review.ts';
import { committedTitle, frozenWarnings } from '../change-words.ts';
import { withPaths } from '../review-paths.ts';
import { plural } from '../text.ts';
import { withinBudget } from './budget.ts';
import { markerOf } from './marker.ts';
import { sectionsOf } from './sections.ts';
import { code } from './words.ts';

/** GitHub takes 65,536 characters; a job may add a line or two of its own. */
export const COMMENT_BUDGET = 60_000;
/** GitHub takes a step summary of 1 MiB and drops all of a bigger one. */
export const SUMMARY_BUDGET: number = 900 * 1024;

export interface CommentOptions {
  /** the package, as its path in the repository; `.` where it is the repository, which is what is taken where nothing is given */
  readonly package?: string;
  /** bytes at most */
  readonly budget: number;
  /** how many names stand in one list */
  readonly names: number;
  /** where everything is, for what does not fit: a run or a report */
  readonly link?: string;
  /** what prints all of it, as it would be typed; made of the two sides where it is not given */
  readonly command?: string;
  /** a path of the package, from the root of the repository */
  readonly pathOf?: (path: string) => string;
}

/** One comment for a pull request, however much it changes: the verdict, then what a reviewer must see, then the rest by cause. */
export function commentText(
  given: Review,
  { package: path = '.', budget, names, link, pathOf, command = diffCommand(given) }: CommentOptions,
): string {
  const review = pathOf === undefined ? given : withPaths(given, pathOf);
  const foot = (leftOut: readonly string[]): string => {
    const all =
      link === undefined ? `${code(command)} shows all of it` : `[the report of this run](<${link}>) and ${code(command)} show all of it`;
    const cut =
      leftOut.length === 0
        ? ''
        : `\n**Left out here: ${leftOut.join('; ')}.** There is room for ${budget.toLocaleString('en')} bytes; ${all}.\n`;
    return `${cut}\n${plural(review.unchanged, 'object')} unchanged · ${side(review.before)} → ${side(review.after)}${cut === '' ? ` · ${all}` : ''}\n`;
  };
  const subject = path === '.' ? 'tenantplane' : `tenantplane ${code(path)}`;
  return withinBudget(`${markerOf(path)}\n### ${subject}: ${verdict(review)}\n`, sectionsOf(review, names), foot, budget);
}

function diffCommand({ before, after }: Review): string {
  const shown = ({ label, commit }: ReviewSide): string => commit?.slice(0, 12) ?? label;
  const [from, to] = [shown(before), shown(after)];
  if (before.commit === undefined) return `tenantplane diff ${shellWord(from)} ${shellWord(to)}`;
  return after.commit === undefined ? `tenantplane diff ${shellWord(from)}` : `tenantplane diff ${shellWord(`${from}..${to}`)}`;
}

function side({ label, commit }: ReviewSide): string {
  return commit === undefined || commit.startsWith(label) ? code(label) : `${code(label)} (${code(commit.slice(0, 12))})`;
}

function verdict({ stopped, committed, changes, refusals, outOfScope, isolation, notJudged = [], frozen, warnings }: Review): string {
  const count = (verb: string): number => changes.filter((change) => change.verb === verb).length;
  const tenants = new Set(changes.flatMap(({ tenant }) => tenant ?? [])).size;
  const refused = refusals.filter(({ verb }) => verb === 'added').length;
  const signs = [
    [count('added'), '+'],
    [count('changed'), '~'],
    [count('removed'), '-'],
  ] as const;
  const told = signs.filter(([number]) => number > 0).map(([number, sign]) => `${sign}${number}`);
  const stops = stopped !== undefined || frozen.some(({ newly }) => newly === true);
  const head =
    changes.length === 0
      ? 'no host object changes'
      : `${changes.length === 1 ? '1 host object changes' : `${changes.length} host objects change`} (${code(told.join(' '))})${tenants === 0 ? '' : ` in ${plural(tenants, 'tenant')}`}`;
  const way = DIRECTIONS.find(([direction]) => isolation.some((change) => change.direction === direction))?.[1];
  return [
    ...(committed === undefined ? [] : [`**${committedTitle(committed)}**`]),
    ...(stopped === undefined ? [] : ['**nothing would be rendered**']),
    ...(stopped !== undefined || (stops && changes.length === 0) ? [] : [head]),
    ...(refused > 0 ? [`**${refused} refused or held**`] : []),
    ...(outOfScope.length > 0 ? [`${outOfScope.length} out of scope`] : []),
    ...(frozen.length > 0 ? [`**${plural(frozen.length, 'tenant')} frozen**`] : []),
    // of what is not rendered nothing is known
    ...((stops || notJudged.length > 0) && way === undefined ? [] : [`isolation ${way ?? 'unchanged'}`]),
    ...(notJudged.length === 0 ? [] : [`**isolation of ${plural(notJudged.length, 'tenant')} not known**`]),
    ...(warnings.length > 0 ? [frozenWarnings(warnings.length)] : []),
  ].join(', ');
}

/** The worst that happens to any tenant. */
const DIRECTIONS = [
  ['weaker', '**weaker**'],
  ['different', 'different'],
  ['stronger', 'stronger'],
] as const;
