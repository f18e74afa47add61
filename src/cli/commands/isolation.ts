import type { Command } from 'commander';
import type { CliContext } from '../io.ts';
import { addTenantQuestion } from './tenant-question.ts';

const EXAMPLES = `
Examples:
  tenantplane isolation dev fleet
  tenantplane isolation team-dev/dev fleet -o wide
  tenantplane isolation fleet
`;

export function addIsolation(program: Command, context: CliContext): void {
  addTenantQuestion(program, context, {
    name: 'isolation',
    description: 'say what isolation is declared, what enforces it, and what nothing does',
    examples: EXAMPLES,
    exitCode: 'exit 1 where a control is not enforced, or a tenant’s tree stays as it is',
    async run(flags, running) {
      const { runIsolation } = await import('../why/run-isolation.ts');
      return runIsolation(flags, running);
    },
  });
}
