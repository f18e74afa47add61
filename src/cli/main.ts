#!/usr/bin/env node
import { tuneForOneRun } from '../krm/run-tuning.ts';
import { processIo } from './process-io.ts';
import { run } from './run.ts';

tuneForOneRun();
// Never process.exit: what is still on its way out would be lost.
process.exitCode = await run(process.argv.slice(2), processIo());
