import { plural } from '../../report/text.ts';
import type { GitState } from './git-state.ts';
import { DOES_NOT_PROVE } from './verification.ts';

interface BundleFacts {
  readonly version: string;
  readonly git: GitState;
  readonly failed: number;
  readonly leftOut: number;
  readonly ledgers: number;
}

/** What lies in a bundle, and how to check it without this program. */
export function bundleReadme({ version, git, failed, leftOut, ledgers }: BundleFacts): string {
  const state = git.known
    ? `commit ${git.commit}${git.changed.length === 0 ? '' : `, with ${plural(git.changed.length, 'changed file')}`}`
    : git.why;
  return `# Evidence

Made by tenantplane ${version} from: ${state}.
${failed === 0 ? 'Every check that could be made agreed.' : `**${plural(failed, 'check')} failed.**`} audit.json has each.

| file | what it is |
|---|---|
| \`inputs/\` | the sources, as they were |
| \`host/\` | the rendered tree, as it was |
${ledgers === 0 ? '' : '| `ledger/` | a line for each decision, as it was committed |\n'}| \`decisions.ndjson\` | every decision in full: rule, trace, changed fields |
| \`codes.json\` | what each code means |
| \`audit.json\` | what was checked, and what that proves |
| \`LEFT-OUT.txt\` | what is not here because it holds a Secret, could not be read, or is explained by no source (${plural(leftOut, 'file')}); the repository has it |

## Check it without tenantplane

\`\`\`sh
sha256sum -c SHA256SUMS                 # the files are the ones that were exported
${ledgers === 0 ? '# no ledger is kept: nothing for check_ledger.py' : 'python3 check_ledger.py ledger/*.ndjson # each ledger is whole'}
\`\`\`

${git.known ? `Compare with the repository: \`git show ${git.commit}:PATH\`.\n\n` : ''}## Check that the tree follows from the sources

Install the same version, check the commit out, and run \`tenantplane audit verify\`. It renders again and compares every byte.

## What this does not prove

${DOES_NOT_PROVE.map((text) => `* ${text}`).join('\n')}
`;
}
