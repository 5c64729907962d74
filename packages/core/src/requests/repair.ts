/** Applies a repair by `drover doctor`. The repair is judged again here: the row may have moved since it was read. */
import { note, record, refuse, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { checkWaitingWork } from '../merge/review.ts';
import { withdrawQuestion } from '../recovery/close-question.ts';
import { waitForPerson } from '../recovery/questions.ts';
import { countFrom } from '../worker/command.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { comeBackTo, stateOf } from '../worker/lifecycle.ts';
import { dropReview, setFacts } from '../merge/state.ts';
import { isAccepting } from '../merge/step.ts';
import { withoutFuture } from '../worker/repair.ts';
import { isBusy } from '../worker/status.ts';
import { endTurn, setJudgeDue } from '../worker/turn.ts';
import { setGit } from '../worker/worktree.ts';

/** Repairs the row. Refused if the row needs it no more. Everything else goes on by the policy from the repaired facts. */
export function repairRow(step: Step, { repair }: Extract<WorkerEvent, { kind: 'repair-requested' }>): Step {
  const { worker, ctx } = step;
  const named = rule(step, `repair:${repair.kind}`);
  switch (repair.kind) {
    case 'take-head': {
      if (stateOf(worker.lifecycle) !== 'needs_review' || repair.git.ahead === 0) return refuseAsNotNeeded(step);
      if (isAccepting(worker.merge.step)) return refuse(step, 'accepting', IS_MERGED);
      const why = `committed "${repair.git.subject}"`;
      const merge = setFacts(dropReview(worker.merge), { why, notes: [] });
      const taken = note(set(named, { worktree: setGit(worker.worktree, repair.git), merge }), why);
      return checkWaitingWork(record(taken, { kind: 'notice', text: `took HEAD for review: ${why}` }));
    }
    case 'ask':
      return handToPerson(named, repair.why);
    case 'rebuilt':
      return record(named, { kind: 'notice', text: `brought back from ${repair.from}` });
    case 'times':
      return { ...named, worker: withoutFuture(worker, ctx.now) };
    case 'commands':
      if (worker.command.seq >= repair.atLeast) return refuseAsNotNeeded(step);
      return set(named, { command: countFrom(worker.command, repair.atLeast) });
    default:
      return repair satisfies never;
  }
}

const IS_MERGED = 'Its work is being merged: wait until that is done';

function handToPerson(step: Step, why: string): Step {
  const { merge, lifecycle } = step.worker;
  if (isAccepting(merge.step)) return refuse(step, 'accepting', IS_MERGED);
  const state = stateOf(lifecycle);
  if (!isBusy(state) && state !== 'needs_review') return refuseAsNotNeeded(step);
  // A question about the worker's machine may be open: the new question is another matter, with other options.
  const asked = withdrawQuestion(step);
  const settled = set(asked, {
    turn: setJudgeDue(endTurn(asked.worker.turn), false),
    merge: dropReview(asked.worker.merge),
  });
  if (lifecycle.status !== 'offline') return waitForPerson(settled, why, null);
  // The worker asks its question when its session runs again.
  const later = note(set(settled, { lifecycle: comeBackTo(settled.worker.lifecycle, 'needs_input') }), why);
  return record(later, { kind: 'notice', text: why });
}

function refuseAsNotNeeded(step: Step): Step {
  return refuse(step, 'not-needed', `The worker is ${step.worker.lifecycle.status} and no longer needs this repair`);
}
