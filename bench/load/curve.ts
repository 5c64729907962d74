// Measures what a worker and an idle machine cost, by the size of the fleet.
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchPostgres } from '../src/postgres.ts';
import { percent, type Figure } from '../src/figures.ts';
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

/** Measures each size. The aims hold for the largest. */
export async function measureCurve(
  postgres: BenchPostgres,
  { sizes, top, ...plan }: CurvePlan,
): Promise<readonly Figure[]> {
  const points: Point[] = [];
  for (const machines of sizes) {
    const point = await measure(postgres, { machines, ...plan });
    points.push(point);
    tellTop(`${machines} machines, idle`, point.idle, top);
    tellTop(`${machines} machines, active`, point.active, top);
  }
  return points.flatMap((point, index) => figuresOf(point, index === points.length - 1 ? points[0] : undefined));
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
function tellTop(title: string, { told, statements, seconds, top, warnings }: Phase, lines: number): void {
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

/** `smallest` is given for the largest fleet: its cost of a worker must not be more than 15 % above the smallest one's. */
function figuresOf({ machines, idle, active }: Point, smallest: Point | undefined): readonly Figure[] {
  const workers = machines * WORKERS_EACH;
  const idleStatements = idle.statements / idle.seconds / machines;
  const each = perWorker(active, workers);
  const { p50, p99 } = active.told;
  const aim = (is: string, isKept: boolean): Pick<Figure, 'aim'> =>
    smallest === undefined ? {} : { aim: { is, isKept } };
  const eachMax = smallest === undefined ? 0 : perWorker(smallest.active, smallest.machines * WORKERS_EACH) * 1.15;
  return [
    {
      what: `${machines} machines, ${workers} idle workers: statements/s of a machine`,
      measured: `${idleStatements.toFixed(2)}; ${perWorker(idle, workers).toFixed(0)} µs/s of a worker`,
      ...aim('0.3', idleStatements <= 0.3),
    },
    {
      what: `  one of ${ONE_OF} at work: sync`,
      measured: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
      ...aim('p99 250 ms', p99 < 250),
    },
    {
      what: '  coordinator, µs/s of a worker',
      measured: each.toFixed(0),
      beside: `coordinator ${share(active.coordinatorCpu, active)}, ${active.rssMib.toFixed(0)} MiB; database ${share(active.databaseCpu, active)}`,
      ...aim(`at most ${eachMax.toFixed(0)}`, each <= eachMax),
    },
  ];
}

function perWorker({ coordinatorCpu, seconds }: Phase, workers: number): number {
  return (coordinatorCpu / seconds / workers) * 1e6;
}

function share(cpu: number, { seconds }: Phase): string {
  return percent(cpu / seconds);
}
