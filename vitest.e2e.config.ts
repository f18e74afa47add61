import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/e2e/longest-first.ts';
import { RELEASE } from './test/e2e/scope.ts';

const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    // real tools on a busy machine: two minutes for a test, forty for what hooks build once
    testTimeout: 120_000,
    hookTimeout: 2_400_000,
    pool: 'forks',
    tags: [RELEASE],
    // one more than CI has cores: suites wait for controllers a quarter of their time
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // there is memory enough: Go's servers and kubectl need not collect theirs as often
    env: { GOGC: '400' },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
