import type { Command } from 'commander';
import type { CliContext } from '../io.ts';
import { addTenantQuestion } from './tenant-question.ts';

const EXAMPLES = `
Examples:
  tenantplane tree fleet
  tenantplane tree dev fleet -v
`;

export function addTree(program: Command, context: CliContext): void {
  addTenantQuestion(program, context, {
    name: 'tree',
    description: 'draw tenants, their objects and what each is on the host',
    examples: EXAMPLES,
    async run(flags, running) {
      const { runTree } = await import('../why/run-tree.ts');
      return runTree(flags, running);
    },
  });
}
