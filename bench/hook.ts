// Measures how long a coding agent waits for the answer to its hook. Runs `drover hook` as a real process, its start included.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Benchmark } from './src/benchmark.ts';
import { smokeLimit } from './src/smoke-limit.ts';
import { median, ms, percentile, table } from './src/table.ts';

/** Milliseconds that an answer may take at most, of wall time with Node's own start: the agent's turn waits for it. */
const LIMIT_MS = 100;
const ROUNDS = 300;
const SMOKE_ROUNDS = 7;
/** The first runs fill the compile cache. */
const WARM_UP = 2;

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const BUNDLE = path.join(REPOSITORY, 'apps/cli/dist/main.js');
/** A long output, as of a build that ends with a network failure: 60 KiB must be read for the words that decide. */
const EVENT = JSON.stringify({
  session_id: 's',
  hook_event_name: 'PostToolUseFailure',
  tool_name: 'Bash',
  tool_input: { command: 'npm ci && npm run build' },
  error: `Exit code 1\n${'  compiled src/module.ts in 12 ms\n'.repeat(1_800)}npm error code ENOTFOUND`,
});

/**
 * Median and 99th percentile; the limit holds the latter, in a smoke run the least, against Node's own start. If the 99th percentile of Node alone
 * takes half of the limit, the machine does other things: then the median is judged.
 */
export const benchmark: Benchmark = {
  about: `\`drover hook\` answers a coding agent within ${LIMIT_MS} ms, its start included`,
  async run({ smoke }) {
    await using stack = new AsyncDisposableStack();
    const directory = await mkdtemp(path.join(os.tmpdir(), 'drover-bench-hook-'));
    stack.defer(() => rm(directory, { recursive: true }));
    const env = {
      ...process.env,
      XDG_CACHE_HOME: directory,
      // A worker's file that has seen something: what came before is counted.
      DROVER_TOOL_FAILURES: path.join(directory, 'worker.jsonl'),
    };
    const ways: Readonly<Record<string, readonly string[]>> = {
      'node -e 0': ['-e', '0'],
      'drover hook': [path.join(REPOSITORY, 'bin/drover.mjs'), 'hook'],
      ...(existsSync(BUNDLE) && { 'drover hook, bundle': [BUNDLE, 'hook'] }),
    };
    const time = (args: readonly string[]): number => {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { env, input: EVENT, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
      return performance.now() - startedAt;
    };
    const times = new Map(Object.keys(ways).map((way) => [way, new Array<number>()]));
    for (let round = -WARM_UP; round < (smoke ? SMOKE_ROUNDS : ROUNDS); round += 1) {
      for (const [way, args] of Object.entries(ways)) {
        const tookMs = time(args);
        if (round >= 0) times.get(way)?.push(tookMs);
      }
    }
    const rows = [...times].map(([way, all]) => [
      way,
      ms(Math.min(...all)),
      ms(median(all)),
      ms(percentile(all, 0.99)),
    ]);
    console.log(table(['', 'least', 'median', 'p99'], rows));
    const node = times.get('node -e 0') ?? [];
    const limitMs = smoke ? smokeLimit(LIMIT_MS, Math.min(...node)) : LIMIT_MS;
    const alone = percentile(node, 0.99);
    const judged = smoke ? 'least' : alone > LIMIT_MS / 2 ? 'median' : 'p99';
    const value = {
      least: (all: readonly number[]) => Math.min(...all),
      median,
      p99: (all: readonly number[]) => percentile(all, 0.99),
    };
    const slowest = Math.max(...[...times.values()].map((all) => value[judged](all)));
    const kept = slowest <= limitMs;
    console.log(`${judged} at most ${ms(limitMs)}: ${kept ? 'kept' : `it took ${ms(slowest)}`}`);
    return kept;
  },
};
