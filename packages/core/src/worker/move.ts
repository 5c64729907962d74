/** The slice `move`: the way of the worker to another machine, and back on failure (docs/adr/0019-parcels-and-frozen-places.md). */
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/** A machine, by its id and by the name that people know. */
export interface MachineName {
  readonly id: string;
  readonly name: string;
}

/** A move. `id` is that of the request, and of the checkpoint that goes along. */
export interface Route {
  readonly id: string;
  readonly from: MachineName;
  readonly to: MachineName;
}

/** Commit and conversation that go along. */
export interface Luggage {
  /** Commit of the checkpoint, with the branch and the uncommitted files. */
  readonly commit: string;
  /** Conversation of the agent; null: it has none that was used. */
  readonly conversation: string | null;
}

/**
 * Progress of the move. The worker's row is of the machine `from` while it leaves and is carried, and of `to` from `arriving` on. `since` is
 * epoch milliseconds.
 */
export type Move =
  | { readonly kind: 'none' }
  /** Closes the session, saves the work and freezes the place, so that nothing begins there. */
  | { readonly kind: 'leaving'; readonly route: Route }
  /** Carries checkpoint and conversation; the place is frozen. */
  | { readonly kind: 'carrying'; readonly route: Route; readonly luggage: Luggage; readonly since: number }
  /** Arrives. `restore`: no agent can be there. `let-in`: one may be started next. `show`: the move waits for its screen. */
  | {
      readonly kind: 'arriving';
      readonly route: Route;
      readonly luggage: Luggage;
      readonly step: 'restore' | 'let-in' | 'show';
      readonly since: number;
    }
  /**
   * Brings the worker back. `leave`: the row is of `to`, whose machine must say first that no agent is there. `let-in`: the row is of `from`.
   * `saveAs` names the checkpoint of an agent's work there that was never seen.
   */
  | {
      readonly kind: 'returning';
      readonly route: Route;
      readonly luggage: Luggage | null;
      readonly step: 'leave' | 'let-in';
      readonly saveAs: string;
      readonly why: string;
    };

const NOT_MOVING: Move = { kind: 'none' };

/** Slice of the move, at rest for a new worker. A move has an end of its own: no other cause ends it. */
export const MOVE = {
  initial: NOT_MOVING,
  on: {
    'task-begun': keep,
    'task-ended': keep,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': keep,
    'given-up': keep,
  },
} satisfies Slice<Move>;

export function beginMove(route: Route): Move {
  return { kind: 'leaving', route };
}

/** Begins to carry the luggage; the place is frozen. */
export function beginCarrying(route: Route, luggage: Luggage, since: number): Move {
  return { kind: 'carrying', route, luggage, since };
}

/** Gives the worker to the other machine, which has everything. */
export function arrive({ route, luggage }: Extract<Move, { kind: 'carrying' }>, since: number): Move {
  return { kind: 'arriving', route, luggage, step: 'restore', since };
}

/** Goes on to the next step on the other machine. */
export function goOnArriving(move: Extract<Move, { kind: 'arriving' }>, step: 'let-in' | 'show'): Move {
  return { ...move, step };
}

export function beginReturn(
  move: Exclude<Move, { kind: 'none' | 'returning' }>,
  back: { readonly step: 'leave' | 'let-in'; readonly saveAs: string; readonly why: string },
): Move {
  const luggage = move.kind === 'leaving' ? null : move.luggage;
  return { kind: 'returning', route: move.route, luggage, ...back };
}

/** Gives the row back to the machine that the worker came from. */
export function letBackIn(move: Extract<Move, { kind: 'returning' }>): Move {
  return { ...move, step: 'let-in' };
}

export function endMove(): Move {
  return NOT_MOVING;
}

/** Tells whether the worker is on its way, in either direction. */
export function isMoving(move: Move): move is Exclude<Move, { kind: 'none' }> {
  return move.kind !== 'none';
}

/** Tells whether the row is of the machine that the worker moves to. */
export function isThere(move: Move): boolean {
  return move.kind === 'arriving' || (move.kind === 'returning' && move.step === 'leave');
}
