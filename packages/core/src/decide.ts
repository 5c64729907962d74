/**
 * Decides what follows when something happens to a worker. Pure, total and deterministic: the same function serves the coordinator, the
 * simulator and explanations.
 *
 * Every event first changes slices (events/, requests/); then `issueNext` derives the next command from the slices alone, and `armedDeadlines`
 * the deadlines. So a repeated, late or lost event can only delay a step, never double it (R7, R8), and a coordinator that dies anywhere
 * resumes from the row.
 */
import { recordAcceptEnd } from './merge/accept.ts';
import { consequencesOf } from './decision/consequences.ts';
import { mergeNeeds } from './decision/facts.ts';
import type { Needs } from './decision/facts.ts';
import { begin, refuse } from './decision/step.ts';
import type { DecideContext, Decision, Step, WholeContext } from './decision/step.ts';
import { accountChanged } from './events/account.ts';
import { deadlineExpired } from './events/deadline.ts';
import { endAtBudget, budgetTold } from './events/budget.ts';
import { trustDecided } from './events/dialog.ts';
import { paneExited } from './events/exit.ts';
import { machineBack, machineLost, machineRemoved } from './events/machine.ts';
import { turnBackInTrouble } from './events/moves/turn-back.ts';
import { carried, endWhenSeen, notCarried } from './events/moves/way.ts';
import { panesListed } from './events/panes.ts';
import { commandFinished } from './events/results.ts';
import { checkWaitingWork } from './merge/review.ts';
import { tellRun } from './events/run-task.ts';
import { screenSeen } from './events/screen.ts';
import { trainTold } from './merge/train.ts';
import { answerToolFailure, isToolAnswer, toolFailed } from './events/tool-failed.ts';
import { issueNext } from './next/command.ts';
import { armedDeadlines } from './next/deadlines.ts';
import { closeMootQuestion } from './recovery/questions.ts';
import { answerEscalation, toolTrustDecided } from './requests/answer.ts';
import { cancelTask } from './requests/cancel.ts';
import { restoreWork, saveWork } from './requests/checkpoint.ts';
import { cancelMove, moveWorker, whyNotWhileMoving } from './requests/move.ts';
import { bringUp, removeWorker, takeDown } from './requests/presence.ts';
import { repairRow } from './requests/repair.ts';
import { releaseFromRun, takeRunTurn } from './requests/run.ts';
import { acceptWork, rebaseWork, rejectWork, sendMessage, startTask } from './requests/task.ts';
import type { WorkerEvent } from './worker/event.ts';
import type { Worker } from './worker/worker.ts';

type EventOf<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

/** Handler of each event. */
const CHANGES: { readonly [K in WorkerEvent['kind']]: (step: Step, event: EventOf<K>) => Step } = {
  'up-requested': bringUp,
  'down-requested': takeDown,
  'nuke-requested': removeWorker,
  'start-requested': startTask,
  'cancel-requested': cancelTask,
  'message-requested': sendMessage,
  'reject-requested': rejectWork,
  'accept-requested': acceptWork,
  'rebase-requested': rebaseWork,
  'run-turn-requested': takeRunTurn,
  'run-released': releaseFromRun,
  'repair-requested': repairRow,
  'move-requested': moveWorker,
  'move-cancel-requested': cancelMove,
  'move-carried': carried,
  'move-not-carried': notCarried,
  'checkpoint-requested': saveWork,
  'restore-requested': restoreWork,
  'escalation-answered': (step, event) =>
    isToolAnswer(event) ? answerToolFailure(step, event) : answerEscalation(step, event),
  'screen-seen': (step, event) => screenSeen(noteMachineSpeaks(step), event),
  'pane-exited': (step, { exit }) => paneExited(noteMachineSpeaks(step), exit),
  'panes-listed': (step, event) => panesListed(noteMachineSpeaks(step), event),
  'command-finished': (step, event) => commandFinished(noteMachineSpeaks(step), event),
  'tool-failed': toolFailed,
  'deadline-expired': (step, { name }) => deadlineExpired(step, name),
  'default-branch-moved': checkWaitingWork,
  'trust-decided': (step) => toolTrustDecided(trustDecided(step)),
  'train-boarded': trainTold,
  'train-left': trainTold,
  'train-landed': trainTold,
  'train-culprit': trainTold,
  'account-changed': accountChanged,
  'budget-told': budgetTold,
  'machine-lost': (step, event) => machineLost(step, event),
  'machine-removed': machineRemoved,
};

/**
 * Answers one event, or names the facts that are missing. With all facts given it always answers. Never throws for a well-formed worker and
 * event.
 */
export function decide(worker: Worker, event: WorkerEvent, ctx: WholeContext): Decision;
export function decide(worker: Worker, event: WorkerEvent, ctx: DecideContext): Decision | Needs;
export function decide(worker: Worker, event: WorkerEvent, ctx: DecideContext): Decision | Needs {
  const needed = ctx.merge === undefined ? mergeNeeds(worker, event) : [];
  if (needed.length > 0) return { kind: 'needs', facts: needed };
  const step = answer(worker, event, ctx);
  return step.lacks.length > 0 ? { kind: 'needs', facts: step.lacks } : finish(worker, event, step);
}

function answer(worker: Worker, event: WorkerEvent, ctx: DecideContext): Step {
  const changed = followMove(worker, changeUnlessMoving(begin(worker, ctx), event));
  // A removed worker is given no command.
  if (event.kind === 'machine-removed') return tellRun(worker, event, changed);
  if (changed.reply.kind === 'refused') return { ...changed, worker, commands: [], records: [] };
  return tellRun(
    worker,
    event,
    recordAcceptEnd(worker, dropMootQuestion(issueNext(endAtBudget(dropMootQuestion(changed))))),
  );
}

/** Refuses requests about the place of a worker on its way. */
function changeUnlessMoving(step: Step, event: WorkerEvent): Step {
  const { move } = step.worker;
  const why = move.kind === 'none' ? null : whyNotWhileMoving(move, event.kind);
  return why === null ? change(step, event) : refuse(step, 'moving', why);
}

/** Ends a move, after any event, once its agent is seen. Turns the worker back if only a person could help on the other machine. */
function followMove(before: Worker, step: Step): Step {
  return step.worker.move.kind === 'none' ? step : turnBackInTrouble(endWhenSeen(step), before);
}

function change<K extends WorkerEvent['kind']>(step: Step, event: EventOf<K>): Step {
  const changes: (step: Step, event: EventOf<K>) => Step = CHANGES[event.kind as K];
  return changes(step, event);
}

/** Ends the incident of a silent machine that speaks again. */
function noteMachineSpeaks(step: Step): Step {
  const { open } = step.worker.incident;
  return open?.code === 'MACHINE_LOST' ? machineBack(step, open) : step;
}

/** Drops a question that no longer has anything to answer. */
function dropMootQuestion(step: Step): Step {
  const { open } = step.worker.incident;
  return open?.escalated === true ? closeMootQuestion(step, open) : step;
}

function finish(before: Worker, event: WorkerEvent, step: Step): Decision {
  const { commands, records, reply } = step;
  const worker = { ...step.worker, deadlines: armedDeadlines(step.worker, step.ctx) };
  const rules: Decision['rules'] = step.rules.length > 0 ? step.rules : ['nothing-to-do'];
  const consequences = consequencesOf(before, event, step);
  return { kind: 'decided', worker, commands, records, reply, rules, consequences };
}
