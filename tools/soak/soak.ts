// Runs a soak: work and chaos side by side, looked at from time to time, counted at its end.
import { setTimeout as delay } from 'node:timers/promises';
import { unleash } from './chaos.ts';
import { ledgerLine, openTasks, wordsOf, type LedgerLine } from './count.ts';
import { addLine, linesOf } from './files.ts';
import { MISHAPS, strike, type Mishap } from './mishaps.ts';
import { Log } from './log.ts';
import { subjectsOf, type Memory, type Place } from './place.ts';
import { linesFor, tableOf, verdict } from './report.ts';
import { start } from './running.ts';
import { work } from './work.ts';

export interface Options {
  readonly hours: number;
  readonly workers: number;
  readonly state: string;
  readonly everyMs: number;
}

const HOUR_MS = 3_600_000;
const WEIGH_EVERY_MS = 10_000;
const COUNT_STOCKS_EVERY_MS = 60_000;
/** Milliseconds of a cycle; in its second half the processes whose growth is judged are spared: that takes 45 minutes (leaks.ts). */
const CYCLE_MS = 2 * HOUR_MS;
/** Milliseconds that the last tasks have to come to their end when the time is over. */
const FINISH_MS = 600_000;

/** Runs until the time is over or a person stops it. @returns 0 when every promise was kept, 1 when not. */
export async function soak(
  place: Place,
  { memory, options, stop }: { memory: Memory; options: Options; stop: AbortSignal },
): Promise<number> {
  await using running = await start(place, memory, stop);
  const ending = new AbortController();
  stop.addEventListener('abort', () => ending.abort());
  const log = new Log(running, { ...memory, joined: true, runs: memory.runs + 1 });
  const totalMs = options.hours * HOUR_MS;
  const cycleMs = Math.min(CYCLE_MS, totalMs);
  console.log(
    `Soaking in ${place.dir}: ${options.workers} workers, ${options.hours} h, of which ${(memory.ranMs / HOUR_MS).toFixed(2)} h are done`,
  );
  const chaos = unleash({
    strike: (mishap, until) => strike(running, mishap, until),
    possible: possible(place),
    ending: ending.signal,
    isCalm: () => log.ranMs() % cycleMs > cycleMs / 2,
    tell: (line) => addLine(place.mishaps, line),
  });
  const working = workAll(log, options.workers, ending.signal);
  const broken = Promise.all([working, chaos]).then(
    () => null,
    (error: unknown) => error,
  );
  await until(totalMs, { log, broken, stop, everyMs: options.everyMs });
  ending.abort();
  const late = await Promise.race([broken, delay(FINISH_MS, null, { ref: false })]);
  stop.throwIfAborted();
  if (late instanceof Error) throw late;
  await log.takeSample(true);
  const row = await log.tell();
  const wrong = verdict(row);
  console.log(`\n${tableOf(row)}\n`);
  console.log(wrong.length === 0 ? 'Every promise was kept.' : `Not as promised:\n${wrong.join('\n')}`);
  return wrong.length === 0 ? 0 : 1;
}

/** Looks, counts and tells, until the time is over. @throws what broke the work or the chaos. */
async function until(
  totalMs: number,
  { log, broken, stop, everyMs }: { log: Log; broken: Promise<unknown>; stop: AbortSignal; everyMs: number },
): Promise<void> {
  let [toldAt, countedAt] = [Date.now(), 0];
  while (log.ranMs() < totalMs && !stop.aborted) {
    const failed = await Promise.race([broken, delay(WEIGH_EVERY_MS, null, { signal: stop }).catch(() => null)]);
    if (failed instanceof Error && !stop.aborted) throw failed;
    const isTime = Date.now() - countedAt >= COUNT_STOCKS_EVERY_MS;
    if (isTime) countedAt = Date.now();
    await log.takeSample(isTime);
    if (Date.now() - toldAt < everyMs) continue;
    toldAt = Date.now();
    console.log(linesFor(await log.tell()));
  }
}

async function workAll(log: Log, workers: number, ending: AbortSignal): Promise<void> {
  const { place, api } = log.running;
  const open = openTasks(linesOf(place.ledger, ledgerLine));
  const isMerged = (task: number): boolean => subjectsOf(place, wordsOf(task)).includes(wordsOf(task));
  const write = (line: LedgerLine): void => addLine(place.ledger, line);
  const shift = { api, ending, nextTask: () => log.nextTask(), write, isMerged };
  const names = Array.from({ length: workers }, (_, at) => `w${at + 1}`);
  await Promise.all(
    names.map((name) =>
      work(
        shift,
        name,
        open.find(({ worker }) => worker === name),
      ),
    ),
  );
}

/** Lists the possible mishaps: without disks of its own no disk is filled. */
function possible(place: Place): readonly Mishap[] {
  const hasDisks = Object.values(place.disks).every(({ isOwn }) => isOwn);
  if (!hasDisks) console.log('No disk is filled: only root can mount disks of their own, which it takes.');
  return hasDisks ? MISHAPS : MISHAPS.filter((mishap) => !mishap.endsWith('-disk'));
}
