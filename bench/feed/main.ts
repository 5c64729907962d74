// Measures how soon many listeners of /v1/events hear what happened, and what they cost the coordinator. The coordinator runs in this
// process, which has one core for it; the listeners run in another one.
//
// npm run bench -- feed [--smoke] [--set listeners=N] [--set events=N]
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@drover/base';
import { connect, createSqlStore } from '@drover/store';
import type { Database, Store } from '@drover/store';
import { replica } from '../../apps/coordinator/src/testing/replica.ts';
import type { Benchmark } from '../src/benchmark.ts';
import { openBenchPostgres } from '../src/postgres.ts';
import { ms, table } from '../src/table.ts';
import type { Heard } from './listeners.ts';

/** A token may have 128 requests open at once. */
const LISTENERS_OF_TOKEN = 100;
/** Time between two events, in milliseconds. */
const EVERY_MS = 100;
/** A listener hears within so long, in milliseconds, except for one event in a hundred. */
const P99_MS_MAX = 1_000;

export const benchmark: Benchmark = {
  about: 'from commit to each of 1,000 listeners of /v1/events, and the processor time of the coordinator',
  run: async ({ smoke, settings }) => {
    const listeners = Number(settings['listeners'] ?? (smoke ? 100 : 1_000));
    const events = Number(settings['events'] ?? (smoke ? 20 : 200));
    await using postgres = await openBenchPostgres();
    const url = postgres.server.connectionString;
    await using coordinator = await replica(url);
    await using connection = connect<Database>(url, { log: () => {}, maxConnections: 2 });
    const store = createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: Math.random });
    const tokens = await tokensFor(store, listeners);
    const { heard, cpuMs, wallMs } = await measure(store, { url: coordinator.url, tokens, listeners, events });
    const each = (cpuMs * 1_000) / (listeners * events);
    console.log(
      table(
        ['listeners', 'events', 'missed', 'p50', 'p99', 'longest', 'processor time', 'of one core', 'each event told'],
        [
          [
            String(listeners),
            String(events),
            String(heard.missed),
            ms(heard.p50),
            ms(heard.p99),
            ms(heard.longest),
            ms(cpuMs),
            `${((cpuMs / wallMs) * 100).toFixed(0)} %`,
            `${each.toFixed(0)} µs`,
          ],
        ],
      ),
    );
    return heard.missed === 0 && (smoke || heard.p99 <= P99_MS_MAX);
  },
};

async function tokensFor(store: Store, listeners: number): Promise<readonly string[]> {
  const secrets = Array.from(
    { length: Math.ceil(listeners / LISTENERS_OF_TOKEN) },
    (_one, place) => `token-of-the-bench-number-${place}`,
  );
  for (const secret of secrets)
    await store.createApiToken(
      {
        id: randomUUID(),
        name: secret,
        role: 'viewer',
        projectId: null,
        workerId: null,
        expiresAt: null,
        sha256: createHash('sha256').update(secret).digest('hex'),
      },
      Date.now(),
    );
  return secrets;
}

interface Measured {
  readonly heard: Heard;
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function measure(
  store: Store,
  given: {
    readonly url: string;
    readonly tokens: readonly string[];
    readonly listeners: number;
    readonly events: number;
  },
): Promise<Measured> {
  const program = fileURLToPath(new URL('listeners.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next(); // all of them listen
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const [project] = await store.listProjects();
    for (let place = 0; place < given.events; place += 1) {
      await announce(store, project?.id ?? '');
      await new Promise<void>((resolve) => systemClock.after(EVERY_MS, resolve));
    }
    const { value } = await lines.next();
    if (typeof value !== 'string') throw new Error('The listeners ended without a result');
    const { user, system } = process.cpuUsage(used);
    return {
      heard: JSON.parse(value) as Heard,
      cpuMs: (user + system) / 1_000,
      wallMs: performance.now() - begun,
    };
  } finally {
    child.kill('SIGTERM');
  }
}

/** Gives a task, and announces it to all listeners. */
async function announce(store: Store, projectId: string): Promise<void> {
  await store.transaction((tx) =>
    tx.insertTask({
      id: randomUUID(),
      projectId,
      workerId: null,
      workerName: 'bench',
      prompt: 'x',
      status: 'new',
      actor: { kind: 'policy' },
      createdAt: Date.now(),
    }),
  );
  await store.notify('drover_events', '*');
}
