import { defineConfig } from 'vitest/config';

const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    // real tools on a busy machine: two minutes for a test, forty for what hooks build once
    testTimeout: 120_000,
    hookTimeout: 2_400_000,
    pool: 'forks',
    // one more than the cores of a small machine: these tests wait for servers most of the time
    maxWorkers: 3,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
