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

/** Work that the turn left running while the prompt is there. It holds the turn open until it ends, or a person says not to wait for it. */
export interface Background {
  /** The program's words, such as `background shell`. */
  readonly what: string;
  /** Time of the first sight of it, epoch milliseconds of the coordinator. */
  readonly since: number;
  /** `asked`: a person was asked about it; `let-run`: a person said that the turn is over while it runs. */
  readonly wait: 'open' | 'asked' | 'let-run';
}

/** The turn of the agent. */
export interface Turn {
  readonly phase: Phase;
  /** Null: nothing runs on. */
  readonly background: Background | null;
  /** True if the turn seems over: check git and the screen, and judge. */
  readonly judgeDue: boolean;
  readonly progress: Progress;
}

const NO_TURN: Phase = { kind: 'none' };

function over(turn: Turn): Turn {
  return { ...turn, phase: NO_TURN, judgeDue: false, background: null };
}

function fresh(_turn: Turn, { now }: When): Turn {
  return { phase: NO_TURN, background: null, judgeDue: false, progress: { mark: null, at: now, nudges: 0 } };
}

/** Slice without a turn. */
export const TURN = {
  initial: { phase: NO_TURN, background: null, judgeDue: false, progress: { mark: null, at: 0, nudges: 0 } },
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
  return { ...withoutWait(turn), phase: { kind: unseen ? 'unseen' : 'running', since }, judgeDue: false };
}

/** Moves the start of the turn before `at`, because the clock of the machine was set back. */
export function beginBefore(turn: Turn, at: number): Turn {
  const { phase } = turn;
  return phase.kind === 'none' || phase.since < at ? turn : { ...turn, phase: { ...phase, since: at - 1 } };
}

/** Continues the turn of an agent at work at `at`, set to work by Drover or by hand. */
export function continueTurn(turn: Turn, at: number): Turn {
  const going = withoutWait(turn);
  if (going.phase.kind === 'none') return { ...going, phase: { kind: 'running', since: at }, judgeDue: false };
  return setJudgeDue(going, false);
}

/** Ends the wait for background work of an agent that works again: a later wait has a clock of its own. */
function withoutWait(turn: Turn): Turn {
  return heldBy(turn) === null ? turn : { ...turn, background: null };
}

/** Notes what runs on beside the prompt, or that nothing does. */
export function noteBackground(turn: Turn, what: string | undefined, now: number): Turn {
  const { background } = turn;
  if (background?.what === what) return turn;
  return { ...turn, background: what === undefined ? null : { since: now, wait: 'open', ...background, what } };
}

/** Marks that a person was asked about the background work, or said not to wait for it. */
export function setBackgroundWait(turn: Turn, wait: Background['wait']): Turn {
  return turn.background === null ? turn : { ...turn, background: { ...turn.background, wait } };
}

/** Starts the clock of the wait for background work again. */
export function restartBackground(turn: Turn, now: number): Turn {
  return turn.background === null ? turn : { ...turn, background: { ...turn.background, since: now } };
}

/** Returns the background work that holds the turn open; null if nothing does. */
export function heldBy({ background }: Turn): Background | null {
  return background?.wait === 'let-run' ? null : background;
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

/**
 * Tells whether a screen shows the prompt after the turn began, with nothing of the turn running on; also the prompt of a program that is in no
 * turn.
 */
export function showsEnd({ state, at }: Reading, turn: Turn): boolean {
  const since = sinceOf(turn);
  if (state.kind !== 'ready' || (since !== null && at <= since)) return false;
  return state.background === undefined || turn.background?.wait === 'let-run';
}
