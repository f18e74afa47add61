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
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
