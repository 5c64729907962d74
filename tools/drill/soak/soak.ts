// Runs a soak: work and mishaps side by side, measured from time to time, counted at its end.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { startApart } from '../../fleet/drover.ts';
import type { Findings } from '../findings.ts';
import { Disk } from './disks.ts';
import { OF_LONG_LIVED, unleash, type Mishap, type Struck, type Targets } from './mishaps.ts';
import { Sizes } from './sizes.ts';
import { Shift, work } from './work.ts';

export interface SoakOptions {
  readonly totalMs: number;
  readonly workers: number;
  readonly mishaps: readonly Mishap[];
  readonly print: (text: string) => void;
}

const MEASURE_EVERY_MS = 10_000;
const PRINT_EVERY_MS = 5 * 60_000;
/** Milliseconds that the last tasks have to come to their end. */
const FINISH_MS = 1_200_000;
/** Lines of each part's log that are printed where something is wrong. */
const TAIL_LINES = 200;

/** Runs until the time is over or a person stops it; then the last tasks come to their end. */
export async function soak({ totalMs, workers, mishaps, print }: SoakOptions, stop: AbortSignal): Promise<Findings> {
  await using stack = new AsyncDisposableStack();
  const targets = await open(stack);
  const { drover, disks } = targets;
  const hasDisks = Object.values(disks).every(({ isOwn }) => isOwn);
  const usable = mishaps.filter((mishap) => hasDisks || !mishap.endsWith('-disk'));
  if (usable.length < mishaps.length) print('No disk is filled: only root on Linux can mount disks for that.');
  const ending = AbortSignal.any([stop, AbortSignal.timeout(totalMs)]);
  const calmFrom = Date.now() + totalMs / 2;
  const possible = (): readonly Mishap[] =>
    Date.now() < calmFrom ? usable : usable.filter((mishap) => !OF_LONG_LIVED.has(mishap));

  const shift = new Shift(drover, ending);
  const names = Array.from({ length: workers }, (_, index) => `w${index + 1}`);
  const sizes = new Sizes();
  const measuring = measure(ending, {
    targets,
    sizes,
    print: () => print(`${shift.given} given, ${shift.ended.length} ended`),
  });
  const all = Promise.all([unleash(targets, possible, ending), ...names.map((name) => work(shift, name))]);
  const late = aborted(ending).then(() => delay(FINISH_MS, null, { ref: false }));
  const done = await Promise.race([all, late]);
  await measuring;
  await sizes.take(targets);
  const counts = shift.counts();
  const grown = sizes.judge();
  const struck = done?.[0] ?? [];
  const problems = [
    ...counts.problems,
    ...struck.filter(({ wellMs }) => wellMs === null).map(({ mishap }) => `not well again after: ${mishap}`),
    ...grown.filter(([, { leaks }]) => leaks === true).map(([name]) => `it grows and should not: ${name}`),
  ];
  if (problems.length > 0)
    for (const [name, one] of Object.entries(drover.processes)) print(`--- ${name}\n${one.tail(TAIL_LINES)}`);
  const ends = Object.entries(drover.processes).map(([name, { ownEnds }]) => `${name} ${ownEnds}`);
  return {
    lines: [
      `${shift.given} tasks given: ${counts.done} done, ${counts.told} told, ${counts.refused} refused; ${counts.restored} given again after a cut`,
      ...linesOf(struck),
      `ended by themselves: ${ends.join(', ')}`,
      ...grown.map(
        ([name, { last, perHour, error }]) =>
          `${name}: ${last.toFixed(0)}, grows by ${perHour.toFixed(1)} ± ${error.toFixed(1)} an hour`,
      ),
    ],
    problems,
  };
}

/** Opens disks, a database, and Drover on them; what an end by force leaves is in one directory of the system's. */
async function open(stack: AsyncDisposableStack): Promise<Targets> {
  const base = mkdtempSync(join(tmpdir(), 'dsoak-'));
  stack.defer(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  chmodSync(base, 0o711); // as root the database has another user
  const disks = { machine: new Disk(base, 'machine'), database: new Disk(base, 'database') };
  for (const disk of Object.values(disks)) stack.defer(() => disk.close());
  const dataDir = join(disks.database.directory, 'postgres');
  const database = stack.use(await startEmbeddedPostgres({ dataDir, log: () => {}, durability: 'full' }));
  const drover = stack.use(
    await startApart({
      databaseUrl: database.connectionString,
      restarts: true,
      env: { DROVER_LOG: 'warn' },
      // The agents' own log is no part of Drover: it must not stand still while a disk is full.
      site: { dir: disks.machine.directory, witness: join(base, 'witness.jsonl'), toml: '[queue]\ntake = false\n' },
    }),
  );
  return { drover, database, disks };
}

async function measure(
  ending: AbortSignal,
  { targets, sizes, print }: { readonly targets: Targets; readonly sizes: Sizes; readonly print: () => void },
): Promise<void> {
  for (let printedAt = Date.now(); !ending.aborted;) {
    await sizes.take(targets);
    await delay(MEASURE_EVERY_MS, undefined, { signal: ending }).catch(() => {});
    if (Date.now() - printedAt < PRINT_EVERY_MS) continue;
    printedAt = Date.now();
    print();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Counts each mishap, and the time until all was well. */
function linesOf(struck: readonly Struck[]): readonly string[] {
  return [...Map.groupBy(struck, ({ mishap }) => mishap)].map(([mishap, all]) => {
    const times = all.flatMap(({ wellMs }) => wellMs ?? []).toSorted((one, other) => one - other);
    const at = (share: number): string => ((times[Math.floor((times.length - 1) * share)] ?? 0) / 1_000).toFixed(1);
    return `${mishap}: ${all.length} times, well again after ${at(0.5)} s at the median, ${at(1)} s at most`;
  });
}
