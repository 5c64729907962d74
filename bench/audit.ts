// Measures what the audit costs a decision on Postgres. Rounds without it, with a chain for each worker, and with one for all, in turn.
//
// npm run bench -- audit [--smoke] [--set decisions=N] [--set lanes=N]
import { connect, createSqlStore } from '@drover/store';
import type { Database, NewAudit, NewEvent, Store, WorkerRow } from '@drover/store';
import { fillFleet } from './recovery/fleet.ts';
import type { Benchmark } from './src/benchmark.ts';
import { COMMIT_TIMES, openBenchPostgres } from './src/postgres.ts';
import { median, table } from './src/table.ts';

const ROUNDS = 5;
const WAYS = ['without', 'a chain for each worker', 'one chain for all'] as const;
type Way = (typeof WAYS)[number];

export const benchmark: Benchmark = {
  about: 'decisions a second with and without their rows in the audit',
  run: async ({ smoke, settings }) => {
    const decisions = smoke ? 50 : Number(settings['decisions'] ?? 1_000);
    const lanes = Number(settings['lanes'] ?? 8);
    await using postgres = await openBenchPostgres(COMMIT_TIMES);
    const url = postgres.server.connectionString;
    await fillFleet(url, { count: lanes, now: Date.now() });
    await using connection = connect<Database>(url, { log: () => {}, maxConnections: lanes });
    const store = createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: Math.random });
    const rates = new Map<Way, number[]>(WAYS.map((way) => [way, []]));
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round += 1)
      for (const way of WAYS) rates.get(way)?.push(await decisionsPerSecond(store, { way, decisions }));
    const plain = median(rates.get('without') ?? []);
    const rows = WAYS.map((way) => {
      const rate = median(rates.get(way) ?? []);
      return [way, rate.toFixed(0), `${(rate / plain).toFixed(2)}`];
    });
    console.log(table(['audit', 'decisions/s', 'ratio'], rows));
    return true;
  },
};

/** Every worker decides one after the other, all of them side by side. */
async function decisionsPerSecond(store: Store, { way, decisions }: { way: Way; decisions: number }): Promise<number> {
  const workers = await store.listWorkers();
  const begun = performance.now();
  await Promise.all(
    workers.map(async ({ id }) => {
      for (let count = 0; count < decisions / workers.length; count += 1) await decide(store, id, way);
    }),
  );
  return decisions / ((performance.now() - begun) / 1_000);
}

async function decide(store: Store, id: string, way: Way): Promise<void> {
  const now = Date.now();
  await store.transaction(async (tx) => {
    const row = await tx.lockWorker(id);
    if (row === null) throw new Error('no worker');
    const chain = way === 'one chain for all' ? 'fleet' : `worker:${id}`;
    const audit = way === 'without' ? {} : { audit: entryOf(chain, now) };
    await tx.saveDecisions([{ row, commands: [], event: eventOf(row, now), ...audit }]);
  });
}

function entryOf(chain: string, at: number): NewAudit {
  const body = {
    at,
    actor: 'policy',
    actorId: null,
    action: 'commands',
    about: 'worker w1',
    details: { commands: ['observe'] },
  };
  return { chain, at, actor: 'policy', body: JSON.stringify(body) };
}

function eventOf(row: WorkerRow, at: number): NewEvent {
  return {
    workerId: row.id,
    workerName: row.name,
    at,
    requestId: null,
    actor: { kind: 'policy' },
    event: { kind: 'deadline-expired', name: 'check' },
    rules: ['observe'],
    records: [],
    reply: { kind: 'accepted' },
    statusBefore: row.state.lifecycle.status,
    statusAfter: row.state.lifecycle.status,
    isQuiet: false,
    decided: {
      facts: {
        now: at,
        fresh: '',
        merge: { lease: 'free' },
        machineConnected: true,
        zone: { offsetMinutes: 0 },
        random: 0.5,
        profile: 'sim',
        trust: {},
        ways: { othersIdle: 0 },
      },
      policy: 'bench',
      outcome: '',
      before: null,
    },
  };
}
