import type { Command } from 'commander';
import type { CliContext } from '../io.ts';

export function addValidate(_program: Command, _context: CliContext): void {}
