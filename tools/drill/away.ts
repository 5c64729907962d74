// Kills the coordinator while its machine works on, brings it back, and finds what was lost or harmed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { Client } from 'pg';
import { startApart } from '../fleet/drover.ts';
import type { DroverProcess } from '../fleet/process.ts';
import { isAlive } from '../fleet/processes.ts';
import type { Findings } from './findings.ts';
import { until } from '../fleet/wait.ts';
import { takenWith } from '../fleet/witness.ts';

/** `ada` ends her turn while the coordinator is away, `bea` works on, `cyd` loses his program, `dan` has nothing to do. */
const WORKERS = ['ada', 'bea', 'cyd', 'dan'] as const;
const STEP_MS = 180_000;
/** Milliseconds for which the coordinator is watched after its return. */
const WATCHED_MS = 60_000;
/** Observations of four workers in that minute: what was kept, the lists of panes, and what follows from them. */
const OBSERVATIONS_MAX = 200;

/** Starts everything, goes away for `awayMs` milliseconds, and comes back. */
export async function leaveAlone(awayMs: number): Promise<Findings> {
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'daway-'));
  chmodSync(directory, 0o711); // as root the server is another user
  stack.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }));
  const server = stack.use(
    await startEmbeddedPostgres({ dataDir: join(directory, 'pg'), log: () => {}, durability: 'full' }),
  );
  const drover = stack.use(await startApart({ databaseUrl: server.connectionString }));
  const { site, fleet } = drover;
  const { coordinator, agent } = drover.processes;
  for (const worker of WORKERS) await fleet.add(worker);
  await fleet.reach(WORKERS, { status: 'idle', never: ['error'], withinMs: STEP_MS });
  const gate = (worker: string): string => join(site.dir, `gate-${worker}`);
  const busy = WORKERS.filter((worker) => worker !== 'dan');
  for (const worker of busy)
    await fleet.start(
      worker,
      [`Do ${worker}.`, `WRITE ${worker}.txt it`, `WAITFILE ${gate(worker)}`, `COMMIT ${worker}`].join('\n'),
    );
  const taken = (worker: string): readonly number[] =>
    takenWith(site.witnessed(), `Do ${worker}.`).map(({ pid }) => pid);
  await until(
    () => 'the prompts to be taken',
    () => (busy.every((worker) => taken(worker).length > 0) ? true : undefined),
    STEP_MS,
  );

  const said = await openDatabase(server.connectionString);
  stack.defer(() => said.end());
  const pids = Object.fromEntries(WORKERS.map((worker) => [worker, taken(worker)[0] ?? 0]));
  await coordinator.kill();
  const leftAt = new Date();
  await delay(awayMs / 3);
  writeFileSync(gate('ada'), '');
  if (pids['cyd'] !== undefined && pids['cyd'] > 0) process.kill(pids['cyd'], 'SIGKILL');
  await delay((awayMs * 2) / 3);
  const cpu = agentSeconds(agent);
  const alive = (['ada', 'bea'] as const).filter((worker) => isAlive(pids[worker] ?? 0));
  coordinator.start();
  const [backAt, backTime] = [performance.now(), new Date()];
  await coordinator.ready();
  const readyMs = performance.now() - backAt;
  await fleet.connected();
  const connectedMs = performance.now() - backAt;
  await fleet.reach(['ada'], { status: 'needs_review', never: ['error', 'needs_input'], withinMs: STEP_MS });
  const reviewedMs = performance.now() - backAt;
  writeFileSync(gate('bea'), '');
  writeFileSync(gate('cyd'), '');
  await fleet.reach(['ada', 'bea', 'cyd'], {
    status: 'needs_review',
    never: ['error', 'needs_input'],
    withinMs: STEP_MS,
  });
  const allMs = performance.now() - backAt;
  await delay(Math.max(0, WATCHED_MS - allMs));
  const stored = await storedSince(said, backTime);
  const exits = await exitsSeen(said, leftAt);
  for (const worker of ['ada', 'bea', 'cyd']) await fleet.accept(worker);
  await fleet.reach(WORKERS, { status: 'idle', never: ['error', 'needs_input'], withinMs: STEP_MS });
  const merged = site.git(site.source, 'log', '--format=%s', 'main').trim().split('\n').toSorted();
  const problems = [
    ...(alive.length === 2 ? [] : [`only these programs were alive at the return: ${alive.join(', ') || 'none'}`]),
    ...(exits.length >= 1 ? [] : ['the death of a program while the coordinator was away was not told']),
    ...(stored.count <= OBSERVATIONS_MAX ? [] : [`${stored.count} observations were stored in the first minute`]),
    ...(['ada', 'bea', 'cyd', 'first'].every((subject) => merged.filter((one) => one === subject).length === 1)
      ? []
      : [`main has ${merged.join(', ')}`]),
    ...(['ada', 'bea'].every((worker) => taken(worker).length === 1)
      ? []
      : ['a prompt was given twice to a program that lived']),
  ];
  const lines = [
    `away for ${(awayMs / 60_000).toFixed(1)} minutes; the agent used ${cpu.toFixed(1)} s of a processor since its start`,
    `back: the coordinator is ready after ${s(readyMs)}, its machine after ${s(connectedMs)}, the turn that ended meanwhile is for review after ${s(reviewedMs)}, all work after ${s(allMs)}`,
    `observations stored within ${s(Math.max(WATCHED_MS, allMs))} of the return: ${stored.count} (${stored.kinds})`,
    `programs alive at the return: ${alive.join(', ')}; exits that were told: ${exits.length}; main has ${merged.join(', ')}`,
  ];
  return { lines, problems };
}

function s(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

async function openDatabase(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function storedSince(client: Client, since: Date): Promise<{ readonly count: number; readonly kinds: string }> {
  const { rows } = await client.query<{ kind: string; count: number }>(
    'select kind, count(*)::int as count from observations where stored_at >= $1 group by kind order by kind',
    [since],
  );
  const kinds = rows.map((row) => `${row.kind} ${row.count}`).join(', ');
  return { count: rows.reduce((sum, row) => sum + row.count, 0), kinds };
}

async function exitsSeen(client: Client, since: Date): Promise<readonly unknown[]> {
  return (await client.query("select 1 from observations where kind = 'exit' and seen_at >= $1", [since])).rows;
}

/** Seconds of a processor that the agent has used; 0 where that cannot be read. */
function agentSeconds({ pid }: DroverProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
