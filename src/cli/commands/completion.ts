import type { Command } from 'commander';
import type { CliContext } from '../io.ts';

export function addCompletion(_program: Command, _context: CliContext): void {}
