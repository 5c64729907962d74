/**
 * Given a worker and something that happened, what now? Pure, total and deterministic: the same function
 * serves the coordinator, the simulator and explanations.
 *
 * Every event first changes facts (orders.ts, observed.ts, finished.ts, expired.ts); then `advance` derives
 * what comes next from the facts alone, and `armed` the deadlines. So a repeated, late or lost event can
 * only delay a step, never double it (R7, R8), and a coordinator that dies anywhere resumes from the row.
 */
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import { accountChanged } from './account.ts';
import { advance } from './advance.ts';
import { escalationAnswered } from './answers.ts';
import { checkpointOrdered, restoreOrdered } from './checkpoints.ts';
import { armed } from './deadlines.ts';
import { begin, set } from './decision.ts';
import type { DecideContext, Decision, Step } from './decision.ts';
import { machineBack, machineLost, withoutMootQuestion } from './escalation.ts';
import { expired } from './expired.ts';
import { finished } from './finished.ts';
import { panesListed, paneExited, screenSeen } from './observed.ts';
import {
  acceptOrdered,
  downOrdered,
  machineRemoved,
  messageOrdered,
  nukeOrdered,
  rejectOrdered,
  startOrdered,
  upOrdered,
} from './orders.ts';
import { repairOrdered } from './repair.ts';
import { isToolAnswer, toolFailed, toolFailureAnswered } from './tool-failed.ts';

/** Answers one event. Never throws for a well-formed worker and event. */
export function decide(worker: Worker, event: WorkerEvent, ctx: DecideContext): Decision {
  const changed = change(heardOf(begin(worker, ctx), event), event);
  // What is forgotten is told nothing more.
  if (event.kind === 'machine-removed') return finish(changed);
  if (changed.reply.kind === 'refused') return finish({ ...changed, worker, commands: [], records: [] });
  return finish(withoutMootQuestion(advance(withoutMootQuestion(changed))));
}

/** Whatever a machine says ends its silence. */
function heardOf(step: Step, { kind }: WorkerEvent): Step {
  const isFromMachine =
    kind === 'screen-seen' || kind === 'pane-exited' || kind === 'panes-listed' || kind === 'command-finished';
  return isFromMachine ? machineBack(step) : step;
}

function change(step: Step, event: WorkerEvent): Step {
  switch (event.kind) {
    case 'up-ordered':
      return upOrdered(step);
    case 'down-ordered':
      return downOrdered(step);
    case 'nuke-ordered':
      return nukeOrdered(step, event);
    case 'start-ordered':
      return startOrdered(step, event);
    case 'message-ordered':
      return messageOrdered(step, event);
    case 'reject-ordered':
      return rejectOrdered(step, event);
    case 'accept-ordered':
      return acceptOrdered(step, event);
    case 'repair-ordered':
      return repairOrdered(step, event);
    case 'screen-seen':
      return screenSeen(step, event);
    case 'pane-exited':
      return paneExited(step, event.exit);
    case 'panes-listed':
      return panesListed(step, event.pane);
    case 'command-finished':
      return finished(step, event);
    case 'tool-failed':
      return toolFailed(step, event);
    case 'deadline-expired':
      return expired(step, event.name);
    case 'default-branch-moved':
      return step.worker.status === 'needs_review' && step.worker.accept === null
        ? set(step, { rebaseDue: true })
        : step;
    case 'escalation-answered':
      return isToolAnswer(event) ? toolFailureAnswered(step, event) : escalationAnswered(step, event);
    case 'account-changed':
      return accountChanged(step, event);
    case 'machine-lost':
      return machineLost(step, event.silentMs);
    case 'machine-removed':
      return machineRemoved(step);
    case 'checkpoint-ordered':
      return checkpointOrdered(step, event);
    case 'restore-ordered':
      return restoreOrdered(step, event);
    default:
      return event satisfies never;
  }
}

function finish(step: Step): Decision {
  const { commands, records, reply, rules } = step;
  const worker = { ...step.worker, deadlines: armed(step.worker, step.ctx) };
  return { worker, commands, records, reply, rules: rules.length > 0 ? rules : ['nothing-to-do'] };
}
