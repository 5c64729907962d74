import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TIMES_FILE } from './tools/times-file.ts';

// Tests start Node some thousand times; with compiled code at hand a start takes a half to a third of the processor's time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

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
    // Generous, for a loaded machine: a test waits for conditions, each with a shorter limit that names it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    // The second tells `npm run test:slow` how long each test took.
    reporters: ['default', ['json', { outputFile: TIMES_FILE }]],
  },
});
