/**
 * Errors that no code waited for, in a long-running process. After a failed promise the rest is as it was: Drover logs it and
 * goes on. After an exception nothing is certain: the process closes what it has open and ends.
 */
import type { Log } from '../compose/log.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { systemAlarm } from '../system-clock.ts';
import type { Ending } from './until-signalled.ts';

/** How long an orderly end may take, in milliseconds: a coordinator gives open requests 2 s, and its database a few more. */
const END_MS = 10_000;

/** What is done about them. */
export interface StrayParts {
  readonly log: Log;
  readonly ending: Pick<Ending, 'fail'>;
  /** Until the process ends in any way; absent: 10 s. */
  readonly endMs?: number;
}

/** Handles them until the process ends. */
export function handleStrays({ log, ending, endMs = END_MS }: StrayParts): void {
  let isEnding = false;
  process.on('unhandledRejection', (reason: unknown) => {
    log('error', `Something failed that nothing waited for, a bug in Drover. Drover goes on. ${traceOf(reason)}`);
  });
  process.on('uncaughtException', (error: unknown) => {
    log('error', `An error was not caught, a bug in Drover: ${traceOf(error)}`);
    if (isEnding) return;
    isEnding = true;
    systemAlarm(endMs, () => process.exit(EXIT_CODES.internal.status));
    ending.fail('Drover ends after an error that it did not expect. Start it again: nothing is lost', 'internal');
  });
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
