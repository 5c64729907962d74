import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { measureStart, testsAtOnce } from './tools/run-tests/at-once.ts';
import { LongestFirst } from './tools/run-tests/longest-first.ts';
import { REPORT_FILE } from './tools/run-tests/report.ts';

// Tests start Node some thousand times; with compiled code at hand a start takes half of the processor's time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// Node reads a whole file of certificates at each start, a third of what a start takes; tests call no server outside.
delete process.env['NODE_EXTRA_CA_CERTS'];

export default defineConfig({
  test: {
    include: ['{apps,packages}/*/{src,tests}/**/*.test.ts', '{tools,bench}/**/*.test.ts'],
    // Many files share a process, which loads the rooms once: a start and its imports took half of what most files cost. So each file
    // ends what it starts, and leaves `process.env` as it was.
    isolate: false,
    // Node loads the sources as it does for people, from its cache. Vite's own loader reads each import through an object, which made the
    // simulation twice as slow, and loads each room again for each run. It is there for module mocks, which this repository has not.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ['packages/embedded-postgres/src/testing/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // For `--changed`: a new script in package.json makes no test another one.
    forceRerunTriggers: ['**/vitest.config.*', '**/package-lock.json'],
    // Generous, for a loaded machine: a test waits for conditions, each with a shorter limit that names it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Without it a condition that `expect.poll` asks for has one second.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Many tests wait for real programs: on two cores four workers leave a quarter of the processor's time unused.
    maxWorkers: Math.min(6, availableParallelism() * 2 + 1),
    maxConcurrency: testsAtOnce(measureStart()),
    // The second tells `npm run test:slow` how long each test took.
    reporters: ['default', ['json', { outputFile: REPORT_FILE }]],
  },
});
