import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TIMES_FILE } from './tools/times-file.ts';

// Tests start Node some thousand times; with compiled code at hand a start takes half of the processor's time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Rooms that touch nothing of the world: no test file can leave anything behind in the process that runs the next one. */
const PURE = 'packages/{core,protocol,screen}/{src,tests}/**/*.test.ts';

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: [PURE], isolate: false } },
      {
        extends: true,
        test: {
          name: 'real',
          include: [
            // The others by name, for an "exclude" here would undo the one of "npm run check".
            'packages/!(core|protocol|screen)/{src,tests}/**/*.test.ts',
            'apps/*/{src,tests}/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          globalSetup: ['packages/store/src/testing/global-setup.ts'],
        },
      },
    ],
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
