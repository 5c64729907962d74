/** The slice `session`: the agent's program in its pane, its conversation, and the replacement of the program. */
import type { Incarnation, Reading } from '../machine/reading.ts';
import type { Policy } from '../policy/policy.ts';
import { keep } from './slice.ts';
import type { Slice, When } from './slice.ts';

/** Life of the worker's session. Times are epoch milliseconds of the coordinator. */
export type Pane =
  | { readonly kind: 'absent' }
  /** `seen`: the last screen of this incarnation. */
  | {
      readonly kind: 'starting';
      readonly incarnation: Incarnation;
      readonly since: number;
      readonly seen: Reading | null;
    }
  | { readonly kind: 'up'; readonly incarnation: Incarnation; readonly since: number; readonly seen: Reading | null }
  /** Ended program. Drover starts it again at `restartAt`; null: not by itself. */
  | { readonly kind: 'dead'; readonly incarnation: Incarnation; readonly restartAt: number | null };

/** A pane with a program that lives. */
export type LivingPane = Extract<Pane, { kind: 'starting' | 'up' }>;

/** A forced restart that one signal asks for: a fresh reading must agree before a living program is ended (R3). */
export interface Doubt {
  /** Checks that could not read the screen. */
  readonly checks: number;
  /** Mark of progress when the doubt arose: another mark shows that the program works. */
  readonly mark: string | null;
  /** Actions of the restart: begin another conversation, give the task again, go on with another profile. */
  readonly fresh: boolean;
  readonly restore: boolean;
  readonly profile: string | null;
}

/** Replacement of the program in the pane before the next delivery. */
export type Replacement =
  | { readonly kind: 'none' }
  /** Replaces the program: a person requested it, or two signals agreed. */
  | { readonly kind: 'due' }
  /** Replaces the program for a fresh context alone: if it is at rest when the next text goes to it, and not otherwise. */
  | { readonly kind: 'at-rest' }
  /** Waits for a second signal after one signal asked for the program's end. `restart` is false if the session is closed for a checkpoint instead. */
  | { readonly kind: 'doubted'; readonly doubt: Doubt; readonly restart: boolean };

/** The worker's session. */
export interface Session {
  readonly pane: Pane;
  /** Conversation of the agent. `used`: it has taken a prompt, so a new task needs a fresh one. */
  readonly conversation: { readonly id: string; readonly used: boolean } | null;
  readonly replacement: Replacement;
  /** Number of waits in a row that ended without a prompt; the second is for the same program as the first. */
  readonly startFailures: number;
  readonly crashes: { readonly count: number; readonly lastAt: number };
  /** Interrupt of an agent whose task is over: the agent must stop before anything else is done there. */
  readonly interrupt: Interrupt | null;
}

/** An interrupt of an agent. */
export interface Interrupt {
  /** Milliseconds that the screen must show that the agent is at rest. */
  readonly standsMs: number;
}

const NONE: Replacement = { kind: 'none' };
const DUE: Replacement = { kind: 'due' };
const NO_CRASHES = { count: 0, lastAt: 0 } as const;

function renewed(session: Session): Session {
  return { ...session, startFailures: 0, crashes: NO_CRASHES };
}

function resumed(session: Session, { now }: When): Session {
  const { pane, replacement } = session;
  // An agent that never came up is started again, by the person's word. A person's word is no second signal for a doubt.
  const neverCameUp = pane.kind === 'up' && (pane.seen === null || pane.seen.state.kind === 'starting');
  return {
    ...renewed(session),
    replacement: replacement.kind === 'due' || neverCameUp ? DUE : NONE,
    pane: pane.kind === 'dead' ? { ...pane, restartAt: now } : pane,
  };
}

function begunFor(session: Session, { now }: When): Session {
  const { pane, conversation } = session;
  const isUsed = conversation?.used === true;
  return {
    ...session,
    conversation: isUsed ? null : conversation,
    // A program that was to be ended for the task before is ended all the same.
    replacement: isReplaced(session) || isUsed ? DUE : NONE,
    pane: pane.kind === 'dead' ? { ...pane, restartAt: now } : pane,
  };
}

/** Drops the replacement: the end of the former program is moot. */
function begunAgain(session: Session): Session {
  return { ...session, replacement: NONE, interrupt: null };
}

function awaitedNoMore(session: Session): Session {
  const { pane } = session;
  return { ...session, replacement: NONE, pane: pane.kind === 'starting' ? { ...pane, kind: 'up' } : pane };
}

/** Slice without a session yet. */
export const SESSION = {
  initial: {
    pane: { kind: 'absent' },
    conversation: null,
    replacement: NONE,
    startFailures: 0,
    crashes: NO_CRASHES,
    interrupt: null,
  },
  on: {
    'task-begun': begunFor,
    'task-ended': keep,
    'session-opened': begunAgain,
    'session-lost': begunAgain,
    'worktree-lost': (session: Session): Session => setReplacement(session, isAlive(session.pane)),
    'restore-begun': keep,
    'budget-renewed': renewed,
    'person-resumed': resumed,
    // The prompt is not waited for any more.
    'given-up': awaitedNoMore,
  },
} satisfies Slice<Session>;

/** Records that the machine has started the program, or has one that the row did not know of. */
export function startProgram(session: Session, incarnation: Incarnation, since: number): Session {
  return { ...session, pane: { kind: 'starting', incarnation, since, seen: null } };
}

/** Waits for the program again from `since`. */
export function awaitPrompt(session: Session, pane: LivingPane, since: number): Session {
  return { ...session, pane: { ...pane, kind: 'starting', since } };
}

/** Marks the program as up: its screen shows something that only a started program shows, which ends the doubt about its start. */
export function markUp(session: Session, pane: LivingPane, since: number): Session {
  const { replacement } = session;
  return {
    ...session,
    pane: { ...pane, kind: 'up', since },
    startFailures: 0,
    replacement: replacement.kind === 'doubted' ? NONE : replacement,
  };
}

/** Counts the pane as up, though its program shows nothing. */
export function countAsUp(session: Session, since?: number): Session {
  const { pane } = session;
  if (pane.kind !== 'starting') return session;
  return { ...session, pane: { ...pane, kind: 'up', since: since ?? pane.since } };
}

/** Records the end of the program. `restartAt`: epoch milliseconds; null: it is not started by itself. */
export function endProgram(session: Session, incarnation: Incarnation, restartAt: number | null): Session {
  return { ...session, pane: { kind: 'dead', incarnation, restartAt } };
}

export function closePane(session: Session): Session {
  return { ...session, pane: { kind: 'absent' } };
}

/** Schedules the restart of a dead program. */
export function scheduleRestart(session: Session, at: number): Session {
  const { pane } = session;
  return pane.kind === 'dead' ? { ...session, pane: { ...pane, restartAt: at } } : session;
}

/** Restarts at `now` a program that its user ended: a text needs an agent that takes it. */
export function restartIfLeft(session: Session, now: number): Session {
  const { pane } = session;
  return pane.kind === 'dead' && pane.restartAt === null ? scheduleRestart(session, now) : session;
}

/** Records a screen of the present incarnation. */
export function recordScreen(session: Session, seen: Reading): Session {
  const { pane } = session;
  return isAlive(pane) ? { ...session, pane: { ...pane, seen } } : session;
}

/** Forgets the screen; one that is older than the last is late all the same (R7). */
export function forgetScreen(session: Session): Session {
  const seen = seenOf(session);
  return seen === null
    ? session
    : recordScreen(session, { ...seen, state: { kind: 'unknown', why: 'empty' }, fingerprint: '' });
}

/**
 * Returns the milliseconds of this wait for a prompt. A program that lives may only be slow: each wait is twice as long as the one before,
 * since a number that is too short for a machine would end the program each time.
 */
export function startUpMs({ startFailures }: Session, { startUp }: Pick<Policy, 'startUp'>): number {
  return startUp.timeoutMs * 2 ** startFailures;
}

/** Counts waits in a row that ended without a prompt. */
export function countStarts(session: Session, startFailures: number): Session {
  return { ...session, startFailures };
}

/** Counts crashes. */
export function countCrashes(session: Session, crashes: Session['crashes']): Session {
  return { ...session, crashes };
}

/** Forgets the crashes once work came of the program. */
export function forgetCrashes(session: Session): Session {
  return { ...session, crashes: NO_CRASHES };
}

/** Asks for the end of the program, which a second signal must agree to (R3). */
export function doubtProgram(session: Session, why: Doubt, restart: boolean): Session {
  return { ...session, replacement: { kind: 'doubted', doubt: why, restart: restart || isReplaced(session) } };
}

/** Counts a check that could not read the screen. */
export function countBlindCheck(session: Session): Session {
  const { replacement } = session;
  if (replacement.kind !== 'doubted') return session;
  const { doubt: why } = replacement;
  return { ...session, replacement: { ...replacement, doubt: { ...why, checks: why.checks + 1 } } };
}

/** Ends the doubt by a second signal that agrees; a due replacement stays. */
export function agreeToEnd(session: Session): Session {
  return { ...session, replacement: isReplaced(session) ? DUE : NONE };
}

/** Keeps the program as it is. */
export function keepProgram(session: Session): Session {
  return { ...session, replacement: NONE };
}

/** Sets the interrupt of the agent; null: the agent has stopped. */
export function setInterrupt(session: Session, interrupt: Interrupt | null): Session {
  return { ...session, interrupt };
}

/** Sets whether the program is to be started again; a doubt about it stays. */
export function setReplacement(session: Session, isDue: boolean): Session {
  const { replacement } = session;
  if (replacement.kind === 'doubted') return { ...session, replacement: { ...replacement, restart: isDue } };
  return { ...session, replacement: isDue ? DUE : NONE };
}

/** Sets the conversation with which the next start goes on; null begins another. */
export function setConversation(session: Session, conversation: Session['conversation']): Session {
  return { ...session, conversation };
}

/** Wants a fresh context for the next text, as far as possible (docs/adr/0006-one-way-for-every-recovery.md). */
export function wantFreshContext(session: Session): Session {
  if (session.conversation?.used !== true || session.replacement.kind !== 'none') return session;
  return isAlive(session.pane) ? { ...session, replacement: { kind: 'at-rest' } } : { ...session, conversation: null };
}

/** Records that the conversation has taken a prompt. */
export function useConversation(session: Session): Session {
  const { conversation } = session;
  return conversation === null ? session : { ...session, conversation: { ...conversation, used: true } };
}

/** Tells whether a program lives in the pane. */
export function isAlive(pane: Pane): pane is LivingPane {
  return pane.kind === 'up' || pane.kind === 'starting';
}

/** Tells whether the program in the pane is to be replaced before the next delivery. */
export function isReplaced({ replacement }: Session): boolean {
  return replacement.kind === 'due' || (replacement.kind === 'doubted' && replacement.restart);
}

/** Returns the reason why the replacement still wants a second signal; null when it wants none, or none is due. */
export function doubtOf({ replacement }: Session): Doubt | null {
  return replacement.kind === 'doubted' ? replacement.doubt : null;
}

/** Returns the last screen of the present incarnation; null while none was seen. */
export function seenOf({ pane }: Session): Reading | null {
  return isAlive(pane) ? pane.seen : null;
}
