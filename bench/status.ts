// How long does `drover status` take beyond Node's own start? Real processes against a real `drover up`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Benchmark } from './src/benchmark.ts';
import { smokeLimit } from './src/smoke-limit.ts';
import { median, ms, percentile, table } from './src/table.ts';
import { startDrover } from './src/running-drover.ts';

/**
 * Most that `drover status` may take beyond Node's start, in milliseconds of wall time: with it the answer is there before
 * a person wonders whether something is wrong.
 */
const LIMIT_MS = 150;
const ROUNDS = 40;
const SMOKE_ROUNDS = 7;
/** The first runs fill the compile cache. */
const WARM_UP = 2;
const WORKERS = 3;

const BIN = path.resolve(import.meta.dirname, '../bin/drover');

/** Takes the difference within each round, so that a load that comes and goes falls out. */
export const benchmark: Benchmark = {
  about: `\`drover status\` with ${WORKERS} workers takes at most ${LIMIT_MS} ms longer than \`node -e 0\``,
  async run({ smoke }) {
    await using drover = await startDrover(BIN, WORKERS);
    const { cwd, env } = drover;
    const time = (program: string, args: readonly string[]): number => {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
      return performance.now() - startedAt;
    };
    for (let round = 0; round < WARM_UP; round += 1) time(BIN, ['status']);
    const rounds = Array.from({ length: smoke ? SMOKE_ROUNDS : ROUNDS }, () => {
      const node = time(process.execPath, ['-e', '0']);
      const status = time(BIN, ['status']);
      return { node, status, beyond: status - node };
    });
    const columns = { 'node -e 0': 'node', 'drover status': 'status', difference: 'beyond' } as const;
    const rows = Object.entries(columns).map(([what, column]) => {
      const values = rounds.map((round) => round[column]);
      return [what, ms(Math.min(...values)), ms(median(values)), ms(percentile(values, 0.95))];
    });
    const differences = rounds.map((round) => round.beyond);
    const limitMs = smoke ? smokeLimit(LIMIT_MS, Math.min(...rounds.map((round) => round.node))) : LIMIT_MS;
    // A few rounds on a machine that does other things say only whether it can be kept at all.
    const beyond = smoke ? Math.min(...differences) : median(differences);
    console.log(table(['', 'least', 'median', 'p95'], rows));
    console.log(
      `${rounds.length} rounds; ${smoke ? 'least' : 'median'} difference at most ${ms(limitMs)}: ${verdict(beyond, limitMs)}`,
    );
    return beyond <= limitMs;
  },
};

function verdict(beyond: number, limitMs: number): string {
  return beyond <= limitMs ? 'kept' : `exceeded by ${ms(beyond - limitMs)}`;
}
