/** Issues the next attempt with the text on its way, on its rung of the ladder. */
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { composerOfState, isAtWork } from '../machine/reading.ts';
import type { Reading } from '../machine/reading.ts';
import type { Text } from '../worker/mailbox.ts';
import { seenOf } from '../worker/session.ts';
import { inHand, runOf } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import { owedBy } from './owed.ts';

/** Issues the attempt if the text is due and the screen invites it. */
export function issueDelivery(step: Step, incarnation: string): Step {
  const { worker, ctx } = step;
  const { current } = worker.mailbox;
  const seen = seenOf(worker.session);
  if (current === null || ctx.now < current.notBefore || seen === null) return step;
  if (worker.account.kind === 'paused' || worker.lifecycle.takenOver || isBudgetSpent(worker)) return step;
  if (!invites(seen, mayQueue(current))) return step;
  const rung = current.lost === 0 ? undefined : ctx.policy.lostInput[current.lost - 1];
  return issue(step, {
    kind: 'deliver',
    incarnation,
    text: current.text,
    method: rung?.method ?? 'profile',
    settleMs: (rung?.settleMs ?? 0) + (current.partial > 0 ? ctx.policy.partial.settleMs : 0),
    mayQueue: mayQueue(current),
    clearFirst: current.next === 'clear-first',
    enterOnly: current.next === 'enter-only',
    textId: current.id,
    ...(worker.task.kind === 'in-hand' && { task: worker.task.id }),
    ...owedBy(worker),
  });
}

/** Tells whether a person is to be asked first. The task of a run is its run's. */
function isBudgetSpent({ budget, task }: Worker): boolean {
  return budget.mark.kind === 'spent' && inHand(task) !== null && runOf(task) === null;
}

function mayQueue({ purpose }: Text): boolean {
  return purpose === 'message' || purpose === 'nudge' || purpose === 'continue';
}

function invites({ state }: Reading, queueing: boolean): boolean {
  if (isAtWork(state)) return queueing && (state.kind === 'processing' || composerOfState(state).kind !== 'none');
  return state.kind === 'ready' || (state.kind === 'error' && state.composer.kind !== 'none');
}
