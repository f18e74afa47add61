import type { Command } from 'commander';
import type { CliContext } from '../io.ts';

export function addInit(_program: Command, _context: CliContext): void {}
