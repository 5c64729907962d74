// The tests of what stands on a host, over a real sshd on loopback: `npm run test:ssh`. `TEST_CARRIER=openssh` takes the other carrier.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '../..');

/** Files of the tests, each with the file of this folder that replaces it. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\/apps\/machine-agent\/tests\/support\/test-host\.ts$/u, 'agent-host.ts'],
  [/\/packages\/tmux\/tests\/.*test-host\.ts$/u, 'tmux-host.ts'],
  [/\/packages\/worktree\/tests\/ports\/node-ports\.ts$/u, 'node-ports.ts'],
];

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'over-ssh',
      enforce: 'pre',
      async resolveId(source, importer, options) {
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        const replaced = REPLACED.find(([pattern]) => found !== null && pattern.test(found.id));
        return replaced === undefined ? found : join(import.meta.dirname, replaced[1]);
      },
    },
  ],
  test: {
    include: [
      'packages/{tmux,worktree}/tests/**/*.test.ts',
      'apps/machine-agent/tests/**/*.test.ts',
      'tools/over-ssh/cases/*.case.ts',
    ],
    // A host over SSH has programs in the usual places, whatever PATH the test's own process has.
    testNamePattern: /^(?!.*without (?:bubblewrap|tmux))/u,
    globalSetup: [join(import.meta.dirname, 'server.ts')],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
