/**
 * Errors that no code waited for, in a long-running process, and an end that does not come. After a failed promise the
 * rest is unchanged: Drover logs it and continues. After an exception nothing is certain: the process closes its
 * resources and ends. Every end has a limit: "drover down", a service manager and a person at Ctrl-C wait for the
 * process.
 */
import type { Log } from '@drover/base';
import { systemAlarm } from '../system-clock.ts';
import type { Ending } from './until-signalled.ts';

/**
 * Milliseconds that an orderly end may take: a coordinator gives open requests 2 s, and its database up to 15. "drover
 * down" waits longer. A killed process loses nothing: the next start continues from the database and the journal.
 */
const END_MS = 20_000;

/** Parts for handling them. */
export interface StrayParts {
  readonly log: Log;
  readonly ending: Pick<Ending, 'fail' | 'asked'>;
  /** Milliseconds until the process ends in any way; absent: 20 s. */
  readonly endMs?: number;
}

/** Handles stray errors until the process ends. */
export function handleStrays({ log, ending, endMs = END_MS }: StrayParts): void {
  let isEnding = false;
  process.on('unhandledRejection', (reason: unknown) => {
    log('error', `An unhandled rejection, which is a bug in Drover. Drover continues. ${traceOf(reason)}`);
  });
  process.on('uncaughtException', (error: unknown) => {
    log('error', `An uncaught error, which is a bug in Drover: ${traceOf(error)}`);
    if (isEnding) return;
    isEnding = true;
    ending.fail('Drover stopped after an unexpected error. Start it again: nothing is lost', 'internal');
  });
  void ending.asked.then(() =>
    systemAlarm(endMs, () => {
      log(
        'error',
        `Drover could not close everything within ${endMs} ms, which is a bug. It stops now, and nothing is lost. ${openThings()}`,
      );
      process.exit();
    }),
  );
}

/** Lists open resources: 2 × Timeout, 1 × ProcessWrap. */
function openThings(): string {
  const counts = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (name) => name));
  return `Still open: ${counts.map(([name, all = []]) => `${all.length} × ${name}`).join(', ')}`;
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
