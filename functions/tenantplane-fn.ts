#!/usr/bin/env node
import { loadCompiled } from '../src/krm/compiled-functions.ts';
import { tuneForOneRun } from '../src/krm/run-tuning.ts';

tuneForOneRun();
const { run } = loadCompiled(import.meta.dirname);
// never process.exit: what is still in a pipe would be cut
process.exitCode = await run(process.argv.slice(1));
