// Measures runs on a real `drover up`: from what settles an item to the next work in a worker's hands, and the cost of open runs that wait.
//
// npm run bench -- runs [--smoke]
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from './src/client.ts';
import type { Benchmark } from './src/benchmark.ts';
import { startDrover } from './src/running-drover.ts';
import type { RunningDrover } from './src/running-drover.ts';
import { ms, percentile, table } from './src/table.ts';

/** Milliseconds from what settles an item to the next work that is ordered. */
const LIMIT_MS = { p50: 30, p99: 150 };
/** Transactions a second that open runs may cost while nothing happens to them. */
const IDLE_MAX = 0.5;
const RUNS = { whole: 30, smoke: 3 };
const OPEN = 200;
/** Milliseconds until the consequences of what came before have ended, and for which transactions are counted then. */
const SPANS = { whole: { settleMs: 15_000, countMs: 60_000 }, smoke: { settleMs: 3_000, countMs: 5_000 } };

const BIN = path.resolve(import.meta.dirname, '../bin/drover');

export const benchmark: Benchmark = {
  about: `a run orders the next work ${LIMIT_MS.p50} ms after what settles the work before (p99 ${LIMIT_MS.p99} ms); ${OPEN} open runs cost ${IDLE_MAX} transactions a second`,
  async run({ smoke }) {
    await using drover = await startDrover(2);
    const times = smoke ? RUNS.smoke : RUNS.whole;
    const spans = smoke ? SPANS.smoke : SPANS.whole;
    for (let at = 0; at < times; at += 1) playRun(drover);
    return await withClient(drover.env['DATABASE_URL'] ?? '', async (client) => {
      const placed = await placedAfter(client);
      const idle = await idleCost(client, drover, spans);
      const [p50, p99] = [percentile(placed, 0.5), percentile(placed, 0.99)];
      console.log(
        table(
          ['what', 'measured', 'aim'],
          [
            [`settled → next ordered, ${placed.length} times, p50`, ms(p50), ms(LIMIT_MS.p50)],
            ['the same, p99', ms(p99), ms(LIMIT_MS.p99)],
            ['transactions a second, no run open', idle.none.toFixed(2), ''],
            [`the same, ${OPEN} runs open`, idle.open.toFixed(2), `${(idle.none + IDLE_MAX).toFixed(2)}`],
          ],
        ),
      );
      console.log(`${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}`);
      return smoke || (p50 <= LIMIT_MS.p50 && p99 <= LIMIT_MS.p99 && idle.open - idle.none <= IDLE_MAX);
    });
  },
};

/** Plays a change to its merge. */
function playRun(drover: RunningDrover): void {
  const { id } = JSON.parse(run(drover, ['run', 'change', 'Add a flag', '--json'])) as { readonly id: string };
  run(drover, ['run', 'wait', id], 13);
  run(drover, ['answer', id, 'accept']);
  run(drover, ['run', 'wait', id]);
}

function run({ cwd, env }: RunningDrover, args: readonly string[], expected = 0): string {
  const { status, stdout, stderr } = spawnSync(BIN, args, { cwd, env, encoding: 'utf8' });
  if (status !== expected) throw new Error(`drover ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Milliseconds from each event that led to new work, to the event that a worker has it. */
async function placedAfter(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ ms: number }>(`
    select extract(epoch from (placed.at - before.at))::float8 * 1000 as ms
    from run_events placed join run_events before on before.run_id = placed.run_id and before.seq = placed.seq - 1
    where placed.kind = 'placed' and before.kind <> 'not-placed'`);
  return rows.map((row) => row.ms);
}

type Spans = (typeof SPANS)['whole'];

/** Transactions a second, without and with open runs that wait for a person. */
async function idleCost(client: Client, drover: RunningDrover, spans: Spans): Promise<{ none: number; open: number }> {
  const none = await rate(client, spans);
  const { id } = JSON.parse(run(drover, ['run', 'change', 'Add a flag', '--json'])) as { readonly id: string };
  run(drover, ['run', 'wait', id], 13);
  await client.query(
    `insert into runs select (jsonb_populate_record(runs, jsonb_build_object('id', gen_random_uuid()))).*
     from runs, generate_series(2, $2) where id = $1`,
    [id, OPEN],
  );
  return { none, open: await rate(client, spans) };
}

async function rate(client: Client, { settleMs, countMs }: Spans): Promise<number> {
  const count = async (): Promise<number> => {
    const { rows } = await client.query<{ count: number }>(
      `select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()`,
    );
    return rows[0]?.count ?? 0;
  };
  await delay(settleMs);
  const before = await count();
  await delay(countMs);
  return ((await count()) - before) / (countMs / 1000);
}
