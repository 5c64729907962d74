/**
 * Has the turn of a text been seen, and is it over? A program's record may hold the text before its screen shows the turn,
 * on a loaded machine by seconds. So "ready" ends a turn at once only where work on it was seen, and else when a turn would
 * long have shown (`turnShowsMs`; docs/adr/0074-a-turn-on-record-alone.md).
 */
import type { Policy } from '../policy/policy.ts';
import { isAtWork } from '../worker/op.ts';
import type { GitFacts, Look } from '../worker/op.ts';
import type { Worker } from '../worker/worker.ts';
import { set } from './decision.ts';
import type { Step } from './decision.ts';

/** A screen after the text was taken shows the turn: at work, or with something that only a turn asks. */
export function turnShown(step: Step, { at, state }: Look): Step {
  const { turnSince, turnUnseen } = step.worker;
  const showsTurn = isAtWork(state) || state.kind === 'question' || state.kind === 'permission';
  return turnUnseen && turnSince !== null && at > turnSince && showsTurn ? set(step, { turnUnseen: false }) : step;
}

/** A commit that nobody knew shows the turn, and so does a rebase that was begun for its agent and is under way no more. */
export function turnShownByGit(step: Step, { head, rebasing }: GitFacts): Step {
  const { turnUnseen, status, git, task } = step.worker;
  if (!turnUnseen || rebasing) return step;
  const isNew = head !== (git?.head ?? task?.headBefore) && head !== task?.headBefore;
  return isNew || status === 'rebasing' ? set(step, { turnUnseen: false }) : step;
}

/** Milliseconds for which a screen of the time `at` that shows "ready" may still be the one before the turn shows. */
export function mayShowForMs({ turnSince, turnUnseen }: Worker, at: number, { turnShowsMs }: Policy): number {
  return turnUnseen && turnSince !== null ? Math.max(0, turnSince + turnShowsMs - at) : 0;
}

/** Whether a screen shows the prompt after the turn began; also the prompt of a program that is in no turn. */
export function looksOver({ state, at }: Look, { turnSince }: Worker): boolean {
  return state.kind === 'ready' && (turnSince === null || at > turnSince);
}

/**
 * Milliseconds for which "ready" must stand before the work is judged. Words that wait in the program's own queue begin the
 * next turn, which must have had time to show.
 */
export function settlesInMs({ queued }: Worker, { settleMs, turnShowsMs }: Policy): number {
  return queued.length === 0 ? settleMs : Math.max(settleMs, turnShowsMs);
}
