/** What does a repair by `drover doctor` change? It is judged again here: the row may have moved since it was looked at. */
import type { WorkerEvent } from '../worker/event.ts';
import { withoutFuture } from '../worker/repair.ts';
import { isBusy } from '../worker/status.ts';
import { withoutOldQuestion } from './close-question.ts';
import { record, refuse, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { blocked } from './escalation.ts';

/** Refused where the row needs it no more. Everything else goes on by the policy from the repaired facts. */
export function repairOrdered(step: Step, { repair }: Extract<WorkerEvent, { kind: 'repair-ordered' }>): Step {
  const { worker, ctx } = step;
  const named = rule(step, `repair:${repair.kind}`);
  switch (repair.kind) {
    case 'take-head': {
      if (stateOf(step) !== 'needs_review' || repair.git.ahead === 0) return notNeeded(step);
      const why = `committed "${repair.git.subject}"`;
      return record(set(named, { git: repair.git, note: why }), {
        kind: 'notice',
        text: `took HEAD for review: ${why}`,
      });
    }
    case 'hand-over':
      return handOver(named, repair.why);
    case 'rebuilt':
      return record(named, { kind: 'notice', text: `brought back from ${repair.from}` });
    case 'times':
      return set(named, withoutFuture(worker, ctx.now));
    case 'orders':
      if (worker.commandSeq >= repair.atLeast) return notNeeded(step);
      return set(named, { commandSeq: repair.atLeast });
    default:
      return repair satisfies never;
  }
}

function handOver(step: Step, why: string): Step {
  const { worker } = step;
  if (worker.accept !== null) return refuse(step, 'accepting', 'Its work is being merged: wait until that is done');
  const state = stateOf(step);
  if (!isBusy(state) && state !== 'needs_review') return notNeeded(step);
  // It may be asked about its machine: what is asked now is another matter, with other options.
  const settled = set(withoutOldQuestion(step), { judgeDue: false, rebaseDue: false, turnSince: null });
  if (worker.status !== 'offline') return blocked(settled, why, null);
  // It is asked about when its session is there again.
  return record(set(settled, { before: 'needs_input', note: why }), { kind: 'notice', text: why });
}

/** The state that a worker without a session comes back to counts as its own. */
function stateOf({ worker }: Step): Step['worker']['status'] {
  return worker.status === 'offline' ? worker.before : worker.status;
}

function notNeeded(step: Step): Step {
  return refuse(step, 'not-needed', `The worker is ${step.worker.status} and needs this repair no more`);
}
