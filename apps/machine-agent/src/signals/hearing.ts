/**
 * Selects the facts that may be heard beside a screen. Pure.
 *
 * S1 A fact that is older than the content of the screen is left out: the screen has gone on since.
 * S2 Nothing lasts that is not written again: a hook speaks for some seconds, then only facts that can be looked at count. One that names a
 *    scheduled wake-up speaks until another hook.
 * S3 A fact of the future was written before the clock was set back. Such a fact would speak until that time comes once more.
 */
import type { HookFact, DetectInput, StructuredState, TranscriptFact } from '@drover/screen';
import type { Dated } from './records.ts';

/** Milliseconds that a hook speaks. Programs fire none on Esc and at interrupts, so that it soon may be wrong (S2). */
export const HOOK_SPEAKS_MS = 5_000;
/**
 * Milliseconds before a status counts. Screen and status follow each other within 0.1 s, on a loaded
 * machine within a second: a status that just changed contradicts a screen that is about to change.
 */
export const STATUS_SETTLES_MS = 1_000;
/** Milliseconds that a screen's change may be seen late: panes are looked at once a second at least. */
const SEEN_LATE_MS = 1_500;

/** Milliseconds that a fact may seem to come from the future: clocks are compared to a second, and the server of a disk has its own clock. */
const AHEAD_MS = 5_000;

/** Facts that were read last; null if there were none. */
export interface Heard {
  readonly hook: Dated<HookFact> | null;
  readonly structured: Dated<StructuredState> | null;
  readonly transcript: Dated<TranscriptFact> | null;
}

/** Moment for which facts are wanted; times in epoch milliseconds. */
export interface Moment {
  readonly now: number;
  /** Start time of this life's program. */
  readonly openedAt: number;
  /** Time since which the screen alone shows its content; null when it was never seen to change. */
  readonly since: number | null;
}

/** Facts for `detect` beside a screen. */
export type Signals = Pick<DetectInput, 'hook' | 'structured' | 'transcript'>;

/** Tells whether a hook stays true until another: a program that has scheduled its own wake-up says nothing more before it. */
function isLasting({ fact }: Dated<HookFact>): boolean {
  return fact.runsOn?.isScheduled === true;
}

/** Selects the facts that may be heard at a moment. */
export function audible({ hook, structured, transcript }: Heard, { now, openedAt, since }: Moment): Signals {
  const oldest = Math.max(openedAt, since === null ? 0 : since - SEEN_LATE_MS);
  const counts = ({ at }: Dated<unknown>): boolean => at >= oldest && at - now <= AHEAD_MS;
  return {
    ...(hook !== null && counts(hook) && (now - hook.at <= HOOK_SPEAKS_MS || isLasting(hook)) && { hook: hook.fact }),
    ...(structured !== null &&
      counts(structured) &&
      now - structured.at >= STATUS_SETTLES_MS && { structured: structured.fact }),
    ...(transcript !== null && counts(transcript) && { transcript: transcript.fact }),
  };
}
