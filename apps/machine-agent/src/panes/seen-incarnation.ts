/** Facts about an incarnation. The next gateway has no memory of it, and learns them from the pane itself. */
import { formatIncarnation, type PaneState } from '@drover/tmux';
import type { KnownIncarnation, KnownWorkers } from '../store/known-workers.ts';
import { OPTIONS, workerOf } from './managed.ts';

/** Clocks of this process and of the machine with the panes. */
export interface Clocks {
  readonly now: () => number;
  /** Milliseconds by which the clock of the machine with the panes is ahead. */
  readonly offsetMs: () => number;
}

/** @returns undefined for a pane that is no worker's. */
export function knowIncarnation(
  knownWorkers: Pick<KnownWorkers, 'incarnationOf' | 'rememberIncarnation'>,
  pane: Pick<PaneState, 'incarnation' | 'options'>,
  clocks: Clocks,
): KnownIncarnation | undefined {
  const incarnation = formatIncarnation(pane.incarnation);
  const known = knownWorkers.incarnationOf(incarnation);
  if (known !== undefined) return known;
  const workerId = workerOf(pane);
  const conversation = pane.options[OPTIONS.conversation];
  if (workerId === undefined || conversation === undefined) return undefined;
  const seen = { workerId, conversation, openedAt: openedAt(pane, clocks) };
  knownWorkers.rememberIncarnation(incarnation, seen);
  return seen;
}

/** Option of a session with the start time of its program. */
export function openedNow({ now, offsetMs }: Clocks): Readonly<Record<string, string>> {
  return { [OPTIONS.opened]: String(now() + offsetMs()) };
}

/** Start time of a session. If it does not say when it was opened, or names a future time because the clock was set back, only later events count. */
function openedAt({ options }: Pick<PaneState, 'options'>, { now, offsetMs }: Clocks): number {
  const told = Number(options[OPTIONS.opened] ?? Number.NaN);
  return Number.isFinite(told) ? Math.min(told - offsetMs(), now()) : now();
}
