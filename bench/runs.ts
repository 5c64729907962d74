// Measures runs on a real `drover up`: from what settles an item to the commit of the next order to a worker, and the cost of open runs that wait.
//
// npm run bench -- runs [--smoke]
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from './src/client.ts';
import type { Benchmark } from './src/benchmark.ts';
import { COMMIT_TIMES } from './src/postgres.ts';
import { startDrover } from './src/running-drover.ts';
import type { RunningDrover } from './src/running-drover.ts';
import { ms, percentile, table } from './src/table.ts';

/** Milliseconds from what settles an item to the next work that is ordered. */
const LIMIT_MS = { p50: 30, p99: 150 };
/** Transactions a second that open runs may cost while nothing happens to them. */
const IDLE_MAX = 0.5;
const RUNS = { whole: 10, smoke: 1 };
/** Stages of the flow that is played: reports, which need nothing but a worker. */
const STAGES = { whole: 10, smoke: 2 };
const OPEN = 200;
/** Milliseconds until the consequences of what came before have ended, and for which transactions are counted then. */
const SPANS = { whole: { settleMs: 15_000, countMs: 60_000 }, smoke: { settleMs: 3_000, countMs: 5_000 } };

const FLOW = 'reports.toml';
const BIN = path.resolve(import.meta.dirname, '../bin/drover');

export const benchmark: Benchmark = {
  about: `a run orders the next work ${LIMIT_MS.p50} ms after what settles the work before (p99 ${LIMIT_MS.p99} ms); ${OPEN} open runs cost ${IDLE_MAX} transactions a second`,
  async run({ smoke }) {
    await using drover = await startDrover(2, { settings: COMMIT_TIMES });
    writeFileSync(path.join(drover.cwd, FLOW), flowText(smoke ? STAGES.smoke : STAGES.whole));
    const times = smoke ? RUNS.smoke : RUNS.whole;
    const spans = smoke ? SPANS.smoke : SPANS.whole;
    for (let at = 0; at < times; at += 1) playRun(drover);
    return await withClient(drover.env['DATABASE_URL'] ?? '', async (client) => {
      const waits = await waitsForNextWork(client);
      const idle = await idleCost(client, drover, spans);
      const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)];
      console.log(
        table(
          ['what', 'measured', 'aim'],
          [
            [`a report → the next ordered, ${waits.length} times, p50`, ms(p50), ms(LIMIT_MS.p50)],
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

function flowText(length: number): string {
  const stages = Array.from({ length }, (_, at) => `[s${at}]\nask = "Look into {{goal}}"\nreturns = "report"\n`);
  return `inputs = { goal = "text" }\n${stages.join('\n')}`;
}

/** Plays a run from its first report to its last. */
function playRun(drover: RunningDrover): void {
  const { id } = JSON.parse(run(drover, ['run', FLOW, '--set', 'goal=this', '--json'])) as { readonly id: string };
  run(drover, ['run', 'wait', id]);
}

function run({ cwd, env }: RunningDrover, args: readonly string[], expected = 0): string {
  const { status, stdout, stderr } = spawnSync(BIN, args, { cwd, env, encoding: 'utf8' });
  if (status !== expected) throw new Error(`drover ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Milliseconds from the start of the run, or each end of its tasks, to the commit of the order that gives a worker the next. */
async function waitsForNextWork(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ ms: number }>(`
    select extract(epoch from (pg_xact_commit_timestamp(ordered.xmin) - before.at))::float8 * 1000 as ms
    from run_events placed
    join lateral (select at from run_events settled where settled.run_id = placed.run_id and settled.seq < placed.seq
      and settled.kind in ('requested', 'task-ended') order by seq desc limit 1) before on true
    join events ordered on ordered.kind = 'start-requested' and ordered.event #>> '{run,runId}' = placed.run_id::text
      and ordered.event #>> '{run,item}' = placed.event ->> 'item'
      and ordered.event #>> '{run,attempt}' = placed.event ->> 'attempt'
    where placed.kind = 'placed' and not exists (select from run_events busy where busy.run_id = placed.run_id
      and busy.kind = 'not-placed' and busy.seq = placed.seq - 1)`);
  if (rows.length === 0) throw new Error('No order of a run was found: expected one for each stage');
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
