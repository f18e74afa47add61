import { defineConfig } from 'vitest/config';
import { memoryFolder } from './test/support/memory-folder.ts';

// `npm test` is one command for people and for CI; CI asks for a report beside it.
const report = process.env['TEST_REPORT'];
const scratch = process.env['TMPDIR'] ?? memoryFolder();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/bench/**'],
    testTimeout: 30_000,
    // some build what ships
    hookTimeout: 30_000,
    pool: 'forks',
    // no test changes what a module holds, so that files share the modules and what V8 has compiled of them
    isolate: false,
    maxWorkers: 2,
    env: scratch === undefined ? {} : { TMPDIR: scratch },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
