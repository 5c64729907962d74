/**
 * Which facts may be heard beside a screen? Pure.
 *
 * S1 A fact that is older than what the screen shows is left out: the screen has gone on since.
 * S2 Nothing lasts that is not written again: a hook speaks for some seconds, then only what can be looked at counts.
 * S3 A fact of the future was written before the clock was set back. It would speak until that time comes once more.
 */
import type { HookFact, DetectInput, StructuredState, TranscriptFact } from '@drover/screen';
import type { Dated } from './records.ts';

/** Milliseconds that a hook speaks. Programs fire none on Esc and at interrupts, so that it soon may be wrong (S2). */
export const HOOK_SPEAKS_MS = 5_000;
/**
 * Milliseconds before a status counts. Screen and status follow each other within 0.1 s (docs/agents.md), on a loaded
 * machine within a second: a status that just changed contradicts a screen that is about to change.
 */
export const STATUS_SETTLES_MS = 1_000;
/** Milliseconds that a screen's change may be seen late: panes are looked at once a second at least. */
const SEEN_LATE_MS = 1_500;

/** Milliseconds that a fact may seem to come from the future: clocks are compared to a second, and the server of a disk has one of its own. */
const AHEAD_MS = 5_000;

/** What was read last; null where nothing was. */
export interface Heard {
  readonly hook: Dated<HookFact> | null;
  readonly structured: Dated<StructuredState> | null;
  readonly transcript: Dated<TranscriptFact> | null;
}

/** The moment for which facts are wanted; times in epoch milliseconds. */
export interface Moment {
  readonly now: number;
  /** When the program of this life was started. */
  readonly openedAt: number;
  /** Since when the screen alone shows what it shows; null when it was never seen to change. */
  readonly since: number | null;
}

/** What may be given to `detect` beside a screen. */
export type Signals = Pick<DetectInput, 'hook' | 'structured' | 'transcript'>;

/** The facts that may be heard at a moment. */
export function audible({ hook, structured, transcript }: Heard, { now, openedAt, since }: Moment): Signals {
  const oldest = Math.max(openedAt, since === null ? 0 : since - SEEN_LATE_MS);
  const counts = ({ at }: Dated<unknown>): boolean => at >= oldest && at - now <= AHEAD_MS;
  return {
    ...(hook !== null && counts(hook) && now - hook.at <= HOOK_SPEAKS_MS && { hook: hook.fact }),
    ...(structured !== null &&
      counts(structured) &&
      now - structured.at >= STATUS_SETTLES_MS && { structured: structured.fact }),
    ...(transcript !== null && counts(transcript) && { transcript: transcript.fact }),
  };
}
