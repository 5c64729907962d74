// Measures what a worker and an idle machine cost, by the size of the fleet.
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchPostgres } from '../src/postgres.ts';
import { table } from '../src/table.ts';
import { LoadRun } from './run.ts';
import type { Phase } from './run.ts';
import type { Size } from './scene.ts';

const WORKERS_EACH = 10;
const ONE_OF = 10;

/** Result of one size. */
interface Point {
  readonly machines: number;
  readonly idle: Phase;
  readonly active: Phase;
}

/** Plan of the curve, with the number of the most frequent statements that are shown. */
export interface CurvePlan {
  readonly sizes: readonly number[];
  readonly seconds: number;
  readonly progressMs: number;
  readonly top: number;
}

/** Prints a line for each size. @returns whether the aims are kept at the largest. */
export async function measureCurve(
  postgres: BenchPostgres,
  { sizes, top, ...plan }: CurvePlan,
): Promise<{ readonly isKept: boolean; readonly text: string }> {
  const points: Point[] = [];
  for (const machines of sizes) {
    const point = await measure(postgres, { machines, ...plan });
    points.push(point);
    tellTop(`${machines} machines, idle`, point.idle, top);
    tellTop(`${machines} machines, active`, point.active, top);
  }
  return { isKept: keepsAims(points), text: table(HEAD, points.map(row)) };
}

async function measure(
  postgres: BenchPostgres,
  { machines, seconds, progressMs }: { machines: number; seconds: number; progressMs: number },
): Promise<Point> {
  const all = { machines, workersEach: WORKERS_EACH };
  const how = { withinMs: machines * 20, progressMs };
  const during = async (name: string, size: Size): Promise<Phase> => {
    await using run = await LoadRun.start(postgres, { size, name, ...how });
    await run.connected(machines);
    run.setActive(true);
    await delay((seconds * 1_000) / 4);
    return await run.phase(() => delay(seconds * 1_000));
  };
  // A worker at its task that reports nothing is looked at each minute: where machines are idle, nobody has a task.
  const idle = await during(`load_${machines}_idle`, { ...all, oneOf: Infinity });
  const active = await during(`load_${machines}`, { ...all, oneOf: ONE_OF });
  return { machines, idle, active };
}

/** Prints the most frequent statements of a phase, and what went wrong in it. */
export function tellTop(title: string, { told, statements, seconds, top, warnings }: Phase, lines: number): void {
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

/**
 * Tells whether the aims are kept at the largest size: p99 under 250 ms, 0.3 statements a second for an idle machine; the cost of a worker within
 * 15 % of the smallest size's.
 */
function keepsAims(points: readonly Point[]): boolean {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return false;
  const each = (point: Point): number => perWorker(point.active, point.machines * WORKERS_EACH);
  const isFlat = each(last) <= each(first) * 1.15;
  return last.active.told.p99 < 250 && last.idle.statements / last.idle.seconds / last.machines <= 0.3 && isFlat;
}
