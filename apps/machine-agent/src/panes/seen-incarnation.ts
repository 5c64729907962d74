/** What is known of an incarnation. A gateway that comes after another has no memory of it, and learns it from the pane itself. */
import { formatIncarnation, type PaneState } from '@drover/tmux';
import type { KnownIncarnation, KnownWorkers } from '../store/known-workers.ts';
import { OPTIONS, workerOf } from './managed.ts';

/** The clocks of this process and of the machine with the panes. */
export interface Clocks {
  readonly now: () => number;
  /** How far the clock of the machine with the panes is ahead, in milliseconds. */
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

/** The option that says when a program was started. */
export function openedNow({ now, offsetMs }: Clocks): Readonly<Record<string, string>> {
  return { [OPTIONS.opened]: String(now() + offsetMs()) };
}

/** Of a session that does not say when it was opened, or one of the future because the clock was set back, only what comes from now on counts. */
function openedAt({ options }: Pick<PaneState, 'options'>, { now, offsetMs }: Clocks): number {
  const told = Number(options[OPTIONS.opened] ?? Number.NaN);
  return Number.isFinite(told) ? Math.min(told - offsetMs(), now()) : now();
}
