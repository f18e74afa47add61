// node compile.mjs < resourcelist.yaml: runs a function of the bundle beside it, and keeps what V8 compiled for that.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_CACHE, loadCompiled } from '../src/krm/compiled-functions.ts';
import { tuneForOneRun } from '../src/krm/run-tuning.ts';

tuneForOneRun();
const { run, script } = loadCompiled(import.meta.dirname);
process.exitCode = await run(['render-tenant']);
writeFileSync(join(import.meta.dirname, CODE_CACHE), script.createCachedData());
