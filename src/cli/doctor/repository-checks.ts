import { type ReasonName, reasonOf } from '../../core/decision/reasons.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import { issueCounts } from '../../report/issues.ts';
import { plural } from '../../report/text.ts';
import { differs, type TreeDifference } from '../tree/compare-tree.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';
import type { LeftOut } from './left-out.ts';
import type { Place } from './repository.ts';

export interface RepositoryFacts {
  readonly plan: Plan;
  readonly difference: TreeDifference;
  readonly foreign: readonly string[];
  /** the package and its tree as they would be typed */
  readonly packagePath: string;
  readonly treePath: string;
  /** the platform's package as it would be typed; undefined where none is named */
  readonly platform?: string;
  readonly git: GitFacts;
  /** what ignore files of appliers leave out of the tree */
  readonly leftOut: readonly LeftOut[];
}

/** What git says of the tree; undefined where there is no git or no repository. */
export interface GitFacts {
  readonly inRepository: boolean;
  /** files of the tree that git ignores */
  readonly ignored: readonly string[];
  /** whether git writes other line ends to the disk than it keeps, for a file of the tree */
  readonly convertsLineEnds: boolean;
  readonly place: Place;
  /** the repository's root on the disk */
  readonly top?: string;
}

/** What a tenant names and a package of the platform may have. */
const SHARED_MISSING: ReadonlySet<ReasonName> = new Set<ReasonName>(['ProfileMissing', 'PolicyMissing']);

/** What a repository has to be for a tree in it to be applied as it was rendered. Pure. */
export function repositoryChecks(facts: RepositoryFacts): readonly Diagnosis[] {
  const { plan, difference, foreign, packagePath, treePath, platform, git, leftOut } = facts;
  const counts = issueCounts(plan);
  const words = `${shellWord(packagePath)}${platform === undefined ? '' : ` --platform ${shellWord(platform)}`}`;
  const validate = `tenantplane validate ${words}`;
  const elsewhere = platform === undefined ? plan.findings.filter(({ reason }) => SHARED_MISSING.has(reason)).length : 0;
  const rendered =
    elsewhere > 0
      ? diagnosis(
          'TPD101',
          'fail',
          `tenants name profiles or policies that are not in the package (${elsewhere}), and --platform is not given`,
          `Name the package that has them, such as the platform’s: tenantplane doctor ${words} --platform PATH`,
        )
      : plan.stopped || counts.error > 0
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
            `tenantplane render ${words}`,
          )
        : counts.frozen > 0
          ? diagnosis(
              'TPD102',
              'unknown',
              `${plural(counts.frozen, 'tenant')} frozen, so nothing is rendered that their trees could be compared with`,
              elsewhere > 0 ? `tenantplane doctor ${words} --platform PATH` : validate,
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
          reasonOf('HostObjectForeign').remedy,
        ),
    ...gitChecks(git, treePath),
    appliersSee(leftOut, treePath),
  ];
}

/** What is left out is not only not applied: an applier that prunes deletes it, and the boundary with it. */
function appliersSee(leftOut: readonly LeftOut[], treePath: string): Diagnosis {
  const [first] = leftOut;
  if (first === undefined) return diagnosis('TPD106', 'ok', 'no .sourceignore or .krmignore leaves a file of the tree out');
  const said = leftOut.map(({ name, tool, files }) => {
    const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
    return `${name} hides ${files
      .slice(0, 3)
      .map((path) => `${treePath}${path}`)
      .join(', ')}${more} from ${tool}, which deletes what it does not see where it prunes`;
  });
  return diagnosis(
    'TPD106',
    'fail',
    said.join('; '),
    `Take the pattern out of the ${first.name} at the root of the repository, or in a folder on the way to the tree.`,
  );
}

function gitChecks({ inRepository, ignored, convertsLineEnds }: GitFacts, treePath: string): readonly Diagnosis[] {
  if (!inRepository)
    return [
      diagnosis(
        'TPD104',
        'unknown',
        'the package is in no git repository that git can read',
        'Look from a clone, with git installed; git init makes a repository here.',
      ),
    ];
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
