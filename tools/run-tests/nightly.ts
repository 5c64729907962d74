// Runs `npm run nightly`: checks that take hours and find what the tests do not. Each part runs, also after one that failed.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './report.ts';
import { SUITES } from './suites.ts';

/** The parts, each a program of this repository with its arguments. */
const PARTS: readonly (readonly [script: string, ...args: readonly string[]])[] = [
  ['tools/properties.ts', '--runs', '100000'],
  ['tools/faults/main.ts'],
  ['tools/fuzz/main.ts', '--inputs', '100000'],
  ['packages/worktree/tests/histories/main.ts'],
  ['packages/worktree/tests/histories/main.ts', '--across'],
  ['tools/sim/main.ts', '--sql', '--seeds', '10000', '--keep-going'],
  ['tools/sim/main.ts', '--sql', '--fleet', '--runs', '--seeds', '200', '--keep-going'],
  ['tools/drill/main.ts', 'gateways', '--kills', '100'],
  ['node_modules/vitest/vitest.mjs', 'run', ...SUITES.nightly],
  ['tools/drill/main.ts', 'soak', '--minutes', '480'],
];

/** Rounds of each test of kills, of three kills. */
const KILL_ROUNDS = '16';
/** Kills of runs. */
const RUN_KILLS = '200';
/** Histories of the properties over lost work, of about 1.5 s each, and over the settings of workers. */
const HISTORIES = '5000';
/** With it each page is looked at in every view. */
const PICTURES = path.join(tmpdir(), 'drover-pictures');

const failed = PARTS.filter(([script, ...args]) => {
  console.log(`\n=== node ${[script, ...args].join(' ')}`);
  const { status } = spawnSync(process.execPath, [path.join(REPOSITORY, script), ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DROVER_KILL_ROUNDS: KILL_ROUNDS,
      DROVER_RUN_KILLS: RUN_KILLS,
      DROVER_RUNS: HISTORIES,
      PICTURES,
    },
  });
  return status !== 0;
});
for (const part of failed) console.log(`failed: node ${part.join(' ')}`);
if (failed.length > 0) process.exitCode = 1;
