/** Decides whether a screen is news to the coordinator, or only another frame of the same. */
import type { AgentState, Reading } from '@drover/core';

/** Milliseconds between two reports of progress alone; a spinner never counts. */
const PROGRESS_EVERY_MS = 5_000;
/**
 * Milliseconds between two reports of progress once the state has stayed for `LONG_MS`: the policy waits for minutes then, and these reports
 * are nearly all that a worker at work stores (docs/mechanics.md, "Limits").
 */
const LONG_PROGRESS_EVERY_MS = 15_000;
const LONG_MS = 60_000;

/** Last report about a pane. */
export interface Told {
  readonly key: string;
  readonly progress: string;
  readonly at: number;
  /** Time of the first report with this key. */
  readonly since: number;
}

/** Tells whether a screen differs from the last report in something that the policy acts on. */
export function isWorthTelling(told: Told | undefined, reading: Reading): boolean {
  if (told === undefined || told.key !== keyOf(reading)) return true;
  const everyMs = told.at - told.since < LONG_MS ? PROGRESS_EVERY_MS : LONG_PROGRESS_EVERY_MS;
  return told.progress !== reading.progress && reading.at - told.at >= everyMs;
}

/** Updates the last report after a new one. */
export function toldNow(before: Told | undefined, reading: Reading): Told {
  const key = keyOf(reading);
  const { at, progress } = reading;
  return { key, progress, at, since: before?.key === key ? before.since : at };
}

/** Key of everything that the policy acts on: the state, not the words that a person is typing. */
export function keyOf({ state, fingerprint }: Reading): string {
  return JSON.stringify(essence(state, fingerprint));
}

function essence(state: AgentState, fingerprint: string): unknown {
  switch (state.kind) {
    case 'ready':
      return [state.kind, state.after, state.composer.kind, state.background];
    case 'processing':
      return [state.kind, state.queued, state.composer.kind];
    case 'error':
      return [state.kind, state.error, state.recoverable, state.resets, state.composer.kind];
    case 'permission':
      return [state.kind, fingerprint, state.tool, state.command];
    case 'question':
    case 'dialog':
      return [state.kind, fingerprint];
    case 'unknown':
      return [state.kind, state.why];
    case 'starting':
    case 'exited':
      return [state.kind];
    default:
      return state satisfies never;
  }
}
