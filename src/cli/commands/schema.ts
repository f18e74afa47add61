import type { Command } from 'commander';
import type { CliContext } from '../io.ts';

export function addSchema(_program: Command, _context: CliContext): void {}
