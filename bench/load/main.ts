// What does a fleet cost? Machines that speak the real protocol, a coordinator on one processor, and its Postgres.
//
// npm run bench -- load [--smoke] [--set machines=50,100,250,500] [--set seconds=60] [--set progressMs=5000] [--set top=10]
import { setTimeout as delay } from 'node:timers/promises';
import { cpus, loadavg } from 'node:os';
import type { Benchmark } from '../src/benchmark.ts';
import { openBenchPostgres } from '../src/postgres.ts';
import type { BenchPostgres } from '../src/postgres.ts';
import { table } from '../src/table.ts';
import { COUNTED } from './database.ts';
import { LoadRun } from './run.ts';
import type { Phase } from './run.ts';

const WORKERS_EACH = 10;
const ONE_OF = 10;
/** Machines must all be there by then, in milliseconds. */
const CONNECTED_MS = 120_000;

/** What one size came to. */
interface Point {
  readonly machines: number;
  readonly idle: Phase;
  readonly active: Phase;
}

/** The curve over the sizes. */
export const benchmark: Benchmark = {
  about: 'load: what a fleet costs its coordinator and its database, by its size, on the real protocol',
  async run({ smoke, settings }) {
    const sizes = (settings['machines'] ?? (smoke ? '5' : '50,100,250,500')).split(',').map(Number);
    const seconds = Number(settings['seconds'] ?? (smoke ? 5 : 60));
    const progressMs = Number(settings['progressMs'] ?? 5_000);
    const top = Number(settings['top'] ?? 0);
    await using postgres = await openBenchPostgres(COUNTED);
    const points: Point[] = [];
    for (const machines of sizes) {
      const point = await measure(postgres, { machines, seconds, progressMs });
      points.push(point);
      for (const [name, phase] of [
        ['idle', point.idle],
        ['active', point.active],
      ] as const)
        tell(`${machines} machines, ${name}`, phase, top);
    }
    console.log(
      `${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), load ${loadavg()
        .map((one) => one.toFixed(1))
        .join(', ')}\n`,
    );
    console.log(table(HEAD, points.map(row)));
    return smoke ? points.every(({ active }) => active.told.observations > 0) : keepsAims(points);
  },
};

async function measure(
  postgres: BenchPostgres,
  { machines, seconds, progressMs }: { machines: number; seconds: number; progressMs: number },
): Promise<Point> {
  const size = { machines, workersEach: WORKERS_EACH, oneOf: ONE_OF };
  const name = `load_${machines}`;
  await using run = await LoadRun.start(postgres, { size, name, withinMs: machines * 20, progressMs });
  await connected(run, machines);
  await delay((seconds * 1_000) / 4);
  const idle = await run.phase(() => delay(seconds * 1_000));
  run.setActive(true);
  await delay((seconds * 1_000) / 4);
  const active = await run.phase(() => delay(seconds * 1_000));
  return { machines, idle, active };
}

async function connected(run: LoadRun, machines: number): Promise<void> {
  const end = performance.now() + CONNECTED_MS;
  for (;;) {
    const told = await run.read();
    if (told.connected >= machines) return;
    if (performance.now() > end)
      throw new Error(`Only ${told.connected} of ${machines} connected: ${told.trouble.join('; ')}`);
    await delay(500);
  }
}

function tell(title: string, { told, statements, seconds, top, warnings }: Phase, lines: number): void {
  console.error(
    `  ${title}: ${(statements / seconds).toFixed(0)} statements/s, ${(told.observations / seconds).toFixed(1)} observations/s, ${(told.commands / seconds).toFixed(1)} commands/s, ${told.connected} connected`,
  );
  for (const one of top.slice(0, lines))
    console.error(
      `    ${(one.calls / seconds).toFixed(1).padStart(8)}/s ${(one.ms / one.calls).toFixed(2).padStart(7)} ms  ${one.text.slice(0, 150)}`,
    );
  for (const warning of warnings) console.error(`    said: ${warning}`);
  for (const trouble of told.trouble) console.error(`    trouble: ${trouble}`);
}

const HEAD = [
  'machines',
  'workers',
  'idle: statements/s a machine',
  'idle: CPU µs/s a worker',
  'idle: CPU',
  'active: sync p50',
  'p99',
  'active: CPU µs/s a worker',
  'active: CPU',
  'active: database CPU',
  'memory',
] as const;

function row({ machines, idle, active }: Point): readonly string[] {
  const workers = machines * WORKERS_EACH;
  return [
    String(machines),
    String(workers),
    (idle.statements / idle.seconds / machines).toFixed(2),
    perWorker(idle, workers).toFixed(0),
    share(idle.coordinatorCpu, idle),
    `${active.told.p50.toFixed(0)} ms`,
    `${active.told.p99.toFixed(0)} ms`,
    perWorker(active, workers).toFixed(0),
    share(active.coordinatorCpu, active),
    share(active.databaseCpu, active),
    `${active.rssMib.toFixed(0)} MiB`,
  ];
}

function perWorker({ coordinatorCpu, seconds }: Phase, workers: number): number {
  return (coordinatorCpu / seconds / workers) * 1e6;
}

function share(cpu: number, { seconds }: Phase): string {
  return `${((cpu / seconds) * 100).toFixed(0)} %`;
}

/** At the largest size: p99 under 250 ms, 0.3 statements a second for an idle machine; the cost of a worker within 15 % of the smallest size's. */
function keepsAims(points: readonly Point[]): boolean {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return false;
  const each = (point: Point): number => perWorker(point.active, point.machines * WORKERS_EACH);
  const isFlat = each(last) <= each(first) * 1.15;
  return last.active.told.p99 < 250 && last.idle.statements / last.idle.seconds / last.machines <= 0.3 && isFlat;
}
