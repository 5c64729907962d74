import { defineConfig } from 'vitest/config';
import { TIMES_FILE } from './tools/times-file.ts';

export default defineConfig({
  test: {
    include: [
      'packages/*/{src,tests}/**/*.test.ts',
      'apps/*/{src,tests}/**/*.test.ts',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: ['packages/store/src/testing/global-setup.ts'],
    // For `--changed`: a new script in package.json makes no test another one.
    forceRerunTriggers: ['**/vitest.config.*', '**/package-lock.json'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // The second tells `npm run test:slow` how long each test took.
    reporters: ['default', ['json', { outputFile: TIMES_FILE }]],
  },
});
