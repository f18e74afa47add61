import { shellWord } from '../../core/decision/shell-word.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import { issueCounts } from '../../report/issues.ts';
import { plural } from '../../report/text.ts';
import { differs, type TreeDifference } from '../tree/compare-tree.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';

export interface RepositoryFacts {
  readonly plan: Plan;
  readonly difference: TreeDifference;
  readonly foreign: readonly string[];
  /** the package and its tree as they would be typed */
  readonly packagePath: string;
  readonly treePath: string;
  readonly git: GitFacts;
}

/** What git says of the tree; undefined where there is no git or no repository. */
export interface GitFacts {
  readonly inRepository: boolean;
  /** files of the tree that git ignores */
  readonly ignored: readonly string[];
  /** whether git writes other line ends to the disk than it keeps, for a file of the tree */
  readonly convertsLineEnds: boolean;
}

/** What a repository has to be for a tree in it to be applied as it was rendered. Pure. */
export function repositoryChecks({ plan, difference, foreign, packagePath, treePath, git }: RepositoryFacts): readonly Diagnosis[] {
  const counts = issueCounts(plan);
  const validate = `tenantplane validate ${shellWord(packagePath)}`;
  const rendered =
    plan.stopped || counts.error > 0
      ? diagnosis(
          'TPD101',
          'fail',
          plural(counts.error, 'error stops the render or freezes a tenant', 'errors stop the render or freeze a tenant'),
          validate,
        )
      : counts.frozen > 0
        ? diagnosis(
            'TPD101',
            'fail',
            plural(counts.frozen, 'tenant frozen: its tree stays as it last was', 'tenants frozen: their trees stay as they last were'),
            validate,
          )
        : counts.refused + counts.held > 0
          ? diagnosis('TPD101', 'warn', `${plural(counts.refused + counts.held, 'object')} refused or held`, validate)
          : diagnosis('TPD101', 'ok', plural(plan.tenants.length, 'tenant renders', 'tenants render'));
  const stale = difference.contents.size + difference.removed.length;
  return [
    rendered,
    plan.stopped
      ? diagnosis('TPD102', 'unknown', 'nothing is rendered that the tree could be compared with', validate)
      : differs(difference)
        ? diagnosis(
            'TPD102',
            'fail',
            `${plural(stale, 'file')} of ${treePath} ${stale === 1 ? 'is' : 'are'} stale`,
            `tenantplane render ${shellWord(packagePath)}`,
          )
        : diagnosis(
            'TPD102',
            'ok',
            `${plural(difference.unchanged, 'file')} of ${treePath} ${difference.unchanged === 1 ? 'is' : 'are'} what a render gives`,
          ),
    foreign.length === 0
      ? diagnosis('TPD103', 'ok', 'every file in a place of ours is ours')
      : diagnosis(
          'TPD103',
          'fail',
          `${foreign.slice(0, 3).join(', ')} ${foreign.length === 1 ? 'is' : 'are'} not recognisably ours, and would be applied`,
          'Move it out of the tree.',
        ),
    ...gitChecks(git, treePath),
  ];
}

function gitChecks({ inRepository, ignored, convertsLineEnds }: GitFacts, treePath: string): readonly Diagnosis[] {
  if (!inRepository) return [diagnosis('TPD104', 'unknown', 'the package is in no git repository that git can read')];
  return [
    ignored.length === 0
      ? diagnosis('TPD104', 'ok', 'git ignores nothing of the tree')
      : diagnosis('TPD104', 'fail', `git ignores ${ignored.slice(0, 3).join(', ')}`, `git check-ignore -v ${shellWord(ignored[0] ?? '')}`),
    convertsLineEnds
      ? diagnosis(
          'TPD105',
          'warn',
          'git writes other line ends to the disk than were rendered, so a checkout is stale at once',
          `echo ${shellWord(`${treePath.replace(/\/$/, '')}/** -text`)} >> .gitattributes`,
        )
      : diagnosis('TPD105', 'ok', 'git leaves line ends of the tree alone'),
  ];
}
