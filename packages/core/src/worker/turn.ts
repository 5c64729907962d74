/**
 * The slice `turn`: tells whether the agent is in a turn, whether the turn has been seen or is over, and when the last progress was.
 *
 * A program's record may hold a text before its screen shows the turn, on a loaded machine by seconds. So "ready" ends a turn at once only if
 * work on it was seen, and else when a turn would long have shown (`turnShowsMs`; docs/adr/0008-a-record-proves-a-delivery.md).
 */
import type { Policy } from '../policy/policy.ts';
import { isAtWork } from '../machine/reading.ts';
import type { Reading } from '../machine/reading.ts';
import { keep } from './slice.ts';
import type { Slice, When } from './slice.ts';

/** Phase of the turn. `since` is the machine's clock, comparable only with other times of the same machine. */
export type Phase =
  | { readonly kind: 'none' }
  /** Turn that only the program's record shows so far, by its text; neither screen nor git has shown work on it yet. */
  | { readonly kind: 'unseen'; readonly since: number }
  | { readonly kind: 'running'; readonly since: number };

/** Real progress of the present turn. */
export interface Progress {
  /** Last mark of progress; null: the next one seen only sets the clock. */
  readonly mark: string | null;
  /** Time of the observation, epoch milliseconds of the coordinator. */
  readonly at: number;
  /** Number of nudges since then. */
  readonly nudges: number;
}

/** The turn of the agent. */
export interface Turn {
  readonly phase: Phase;
  /** True if the turn seems over: check git and the screen, and judge. */
  readonly judgeDue: boolean;
  readonly progress: Progress;
}

const NO_TURN: Phase = { kind: 'none' };

function over(turn: Turn): Turn {
  return { ...turn, phase: NO_TURN, judgeDue: false };
}

function fresh(_turn: Turn, { now }: When): Turn {
  return { phase: NO_TURN, judgeDue: false, progress: { mark: null, at: now, nudges: 0 } };
}

/** Slice without a turn. */
export const TURN = {
  initial: { phase: NO_TURN, judgeDue: false, progress: { mark: null, at: 0, nudges: 0 } },
  on: {
    'task-begun': fresh,
    'task-ended': over,
    'session-opened': keep,
    'session-lost': over,
    'worktree-lost': over,
    'restore-begun': over,
    'budget-renewed': keep,
    'person-resumed': (turn: Turn, { now }: When): Turn => restartClock(turn, now),
    'given-up': over,
  },
} satisfies Slice<Turn>;

/** Begins a turn with a text taken at `since` of the machine's clock. `unseen`: only the program's record reports it. */
export function beginTurn(turn: Turn, since: number, unseen: boolean): Turn {
  return { ...turn, phase: { kind: unseen ? 'unseen' : 'running', since }, judgeDue: false };
}

/** Moves the start of the turn before `at`, because the clock of the machine was set back. */
export function beginBefore(turn: Turn, at: number): Turn {
  const { phase } = turn;
  return phase.kind === 'none' || phase.since < at ? turn : { ...turn, phase: { ...phase, since: at - 1 } };
}

/** Continues the turn of an agent at work at `at`, set to work by Drover or by hand. */
export function continueTurn(turn: Turn, at: number): Turn {
  if (turn.phase.kind === 'none') return { ...turn, phase: { kind: 'running', since: at }, judgeDue: false };
  return setJudgeDue(turn, false);
}

/** Ends the turn. A turn that is to be judged stays so. */
export function endTurn(turn: Turn): Turn {
  return { ...turn, phase: NO_TURN };
}

/** Marks that screen or git has shown work on the turn. */
export function showTurn(turn: Turn): Turn {
  return turn.phase.kind === 'unseen' ? { ...turn, phase: { ...turn.phase, kind: 'running' } } : turn;
}

export function setJudgeDue(turn: Turn, judgeDue: boolean): Turn {
  return turn.judgeDue === judgeDue ? turn : { ...turn, judgeDue };
}

/** Restarts the clock of progress, with no nudge given. */
export function restartClock(turn: Turn, now: number): Turn {
  return { ...turn, progress: { ...turn.progress, at: now, nudges: 0 } };
}

/** Sets the clock of progress without touching the counts. */
export function setClock(turn: Turn, now: number): Turn {
  return { ...turn, progress: { ...turn.progress, at: now } };
}

/** Marks progress. */
export function markProgress(turn: Turn, mark: string, now: number): Turn {
  return { ...turn, progress: { mark, at: now, nudges: 0 } };
}

/** Sets the mark that is seen next, and that is no progress. */
export function setMark(turn: Turn, mark: string | null): Turn {
  return { ...turn, progress: { ...turn.progress, mark } };
}

/** Starts the clock at a text of a person or of Drover, other than a nudge, that was taken. */
export function awaitProgress(turn: Turn, now: number): Turn {
  return { ...turn, progress: { mark: null, at: now, nudges: 0 } };
}

/** Counts the nudges since the last progress. */
export function countNudges(turn: Turn, nudges: number): Turn {
  return { ...turn, progress: { ...turn.progress, nudges } };
}

/** Returns the start of the turn, by the machine's clock; null: there is none. */
export function sinceOf({ phase }: Turn): number | null {
  return phase.kind === 'none' ? null : phase.since;
}

/** Shows the turn by a screen after the text was taken: at work, or with a question that only a turn asks. */
export function turnShownBy(turn: Turn, { at, state }: Reading): Turn {
  if (turn.phase.kind !== 'unseen' || at <= turn.phase.since) return turn;
  const showsTurn = isAtWork(state) || state.kind === 'question' || state.kind === 'permission';
  return showsTurn ? showTurn(turn) : turn;
}

/** Returns the milliseconds for which a screen of the time `at` that shows "ready" may still be the one before the turn shows. */
export function mayShowForMs({ phase }: Turn, at: number, { turnShowsMs }: Policy): number {
  return phase.kind === 'unseen' ? Math.max(0, phase.since + turnShowsMs - at) : 0;
}

/** Tells whether a screen shows the prompt after the turn began; also the prompt of a program that is in no turn. */
export function showsEnd({ state, at }: Reading, turn: Turn): boolean {
  const since = sinceOf(turn);
  return state.kind === 'ready' && (since === null || at > since);
}
