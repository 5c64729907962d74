/**
 * When is the work saved, and how does a worker come back to a checkpoint? A save waits its turn, and one that fails is a
 * row of the error log and nothing more (docs/recovery.md, checkpoints).
 */
import type { CheckpointType } from '../worker/checkpoint.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Op, OpResult } from '../worker/op.ts';
import { isBusy } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';
import { become, order, record, refuse, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { queueLost } from './delivery.ts';
import { orderSecondLook } from './doubt.ts';
import { closeQuestion } from './close-question.ts';
import { nextWay } from './recover.ts';
import { FRESH_COUNTS, onlyLogged } from './incident.ts';
import { waitingTexts, wordsOfPeople } from './words.ts';

/** The more urgent comes first; of two that wait, the less urgent is dropped. */
const URGENCY: readonly CheckpointType[] = [
  'manual',
  'hiccup',
  'before_retry',
  'error_recovery',
  'stage_complete',
  'session_start',
  'periodic',
];

/** These wait until nothing else is to be done. */
const LEISURELY: ReadonlySet<CheckpointType> = new Set([
  'session_start',
  'periodic',
  'stage_complete',
  'error_recovery',
]);

/** Asks for a checkpoint at the next opportunity. */
export function wantCheckpoint(step: Step, type: CheckpointType, why: string, id: string = step.ctx.fresh): Step {
  const { checkpointDue: waiting, worktree, incident } = step.worker;
  if (worktree.kind === 'none') return step;
  if (waiting !== null && URGENCY.indexOf(waiting.type) < URGENCY.indexOf(type)) return step;
  return set(step, { checkpointDue: { id, type, why, incident: incident?.id ?? null } });
}

/** A minute passed in which something changed. */
export function periodicDue(step: Step): Step {
  const { checkpointDue } = step.worker;
  return checkpointDue === null ? wantCheckpoint(step, 'periodic', 'every minute while something changes') : step;
}

/** When the next periodic save is due; null while nothing changes or a save is on its way. Epoch milliseconds. */
export function periodicDueAt({ worker, ctx }: Pick<Step, 'worker' | 'ctx'>): number | null {
  const { task, pane, checkpointDue, checkpointTriedAt, progress, inFlight, deadlines } = worker;
  if (task === null || pane.kind !== 'up' || checkpointDue !== null || inFlight?.op.kind === 'checkpoint') return null;
  if (progress.at <= checkpointTriedAt) return null;
  const since = Math.max(checkpointTriedAt, task.startedAt);
  return deadlines.checkpoint ?? Math.max(ctx.now, since + ctx.policy.checkpoint.everyMs);
}

/** Orders a save that others wait for. @returns null when there is none. */
export function orderUrgentCheckpoint(step: Step): Step | null {
  const due = step.worker.checkpointDue;
  return due === null || LEISURELY.has(due.type) ? null : orderCheckpoint(step);
}

/** Orders the save that waits, if one does. */
export function orderCheckpoint(step: Step): Step {
  const due = step.worker.checkpointDue;
  if (due === null) return step;
  return order(step, { kind: 'checkpoint', id: due.id, type: due.type, why: due.why });
}

/** A save is there. */
export function checkpointed(step: Step, { commit }: Extract<OpResult, { kind: 'checkpointed' }>): Step {
  const { checkpointDue, conversation, checkpoint } = step.worker;
  if (checkpointDue === null) return step;
  const { id, type, why, incident } = checkpointDue;
  const done = tried(rule(step, `checkpoint:${type}`));
  const kept = set(done, { checkpoint: commit === null ? checkpoint : { id, commit, at: step.ctx.now } });
  return record(kept, {
    kind: 'checkpoint',
    id,
    type,
    commit,
    conversation: conversation?.used === true ? conversation.id : null,
    incident,
    why,
  });
}

/** The component of the error of a save that failed. The next save that succeeds shows that this is over. */
export const SAVING = 'checkpoint';

/** No save: a row of the error log, and the work goes on. */
export function checkpointFailed(step: Step, message: string): Step {
  const why = `its work could not be saved: ${message}`;
  const failure = { code: 'GIT_WORKTREE_FAILED', why, details: message, component: SAVING } as const;
  return tried(onlyLogged(rule(step, 'checkpoint-failed'), failure));
}

function tried(step: Step): Step {
  return set(step, { checkpointDue: null, checkpointTriedAt: step.ctx.now });
}

/** A person asks for a save. */
export function checkpointOrdered(step: Step, { id, why }: Extract<WorkerEvent, { kind: 'checkpoint-ordered' }>): Step {
  if (step.worker.worktree.kind === 'none') return refuse(step, 'no-worktree', 'The worker has no worktree yet');
  return wantCheckpoint(rule(step, 'checkpoint-ordered'), 'manual', why, id);
}

/** A person brings the worker back to a checkpoint: its session is closed, the worktree restored, the task given again. */
export function restoreOrdered(step: Step, event: Extract<WorkerEvent, { kind: 'restore-ordered' }>): Step {
  const { worker } = step;
  const { checkpoint, resetAgent } = event;
  if (worker.wanted !== 'up') return refuse(step, 'offline', 'The worker is not up: run "drover up"');
  if (worker.accept !== null) return refuse(step, 'accepting', 'Its work is being merged: wait until that is done');
  if (worker.task === null) {
    return refuse(step, 'no-task', 'The worker has no task in hand: give it one with "drover start", then repeat');
  }
  const closed = closeQuestion(rule(step, 'restore-ordered'), 'resolved');
  const working =
    worker.status === 'offline'
      ? set(closed, { before: 'working' })
      : become(closed, 'working', 'is being brought back to a checkpoint');
  const lost = queueLost(working);
  const words = wordsOfPeople([...(worker.incident?.held ?? []), ...waitingTexts(lost.worker)]);
  // They are told after the task, which is given again.
  const [first = null, ...others] = words;
  return set(lost, {
    restoreFrom: { ...checkpoint, conversation: resetAgent ? null : checkpoint.conversation },
    takenOver: false,
    ...FRESH_COUNTS,
    coolUntil: null,
    trouble: null,
    doubt: null,
    respawnDue: false,
    outgoing: first,
    backlog: others,
    turnSince: null,
    judgeDue: false,
    rebaseDue: false,
    resetDue: false,
  });
}

/** Orders the next step of coming back: nobody writes into a worktree that is being restored. */
export function orderRestore(step: Step): Step {
  const { restoreFrom, pane, doubt } = step.worker;
  if (restoreFrom === null) return step;
  if (restoreFrom.commit === null) return restoredTo(step);
  if (doubt !== null && (pane.kind === 'up' || pane.kind === 'starting')) return orderSecondLook(step);
  if (pane.kind !== 'absent') return order(step, { kind: 'close' });
  return order(step, { kind: 'restore', id: restoreFrom.id, commit: restoreFrom.commit, saveAs: step.ctx.fresh });
}

/** The worktree is as it was: the agent is started with its conversation of that time, and told. */
export function restoredTo(step: Step): Step {
  const { restoreFrom, pane, task } = step.worker;
  if (restoreFrom === null) return step;
  const { conversation, prompt } = restoreFrom;
  return set(rule(step, 'restored-checkpoint'), {
    restoreFrom: null,
    git: null,
    conversation: conversation === null ? null : { id: conversation, used: true },
    respawnDue: pane.kind === 'up' || pane.kind === 'starting',
    restoreDue: isAtWork(step.worker),
    task: task === null ? null : { ...task, text: prompt ?? task.text, taken: true },
  });
}

/** Nothing was restored, and the worktree is as it was: the next way out, or on with what is there. */
export function restoreFailed(step: Step, message: string): Step {
  const why = `the checkpoint could not be restored: ${message}`;
  const failure = { code: 'GIT_WORKTREE_FAILED', why, details: message } as const;
  const { task, outgoing } = step.worker;
  const going = set(onlyLogged(rule(step, 'restore-failed'), failure), {
    restoreFrom: null,
    // Its words were taken back when it was ordered: it is given again, also if the agent had never had it.
    task: task === null || outgoing?.purpose === 'task' ? task : { ...task, taken: true },
    restoreDue: isAtWork(step.worker),
    note: why,
  });
  const told = record(going, { kind: 'notice', text: why });
  const { incident } = step.worker;
  return incident === null ? told : nextWay(told, { code: incident.code, why: incident.why });
}

/** Whether the task is the agent's: words given to one whose work waits for a person would begin it anew. */
export function isAtWork({ status, before }: Worker): boolean {
  return isBusy(status === 'offline' ? before : status);
}

/** Whether a failed or unknown order is one that nothing waits for. */
export function isSave(op: Op): boolean {
  return op.kind === 'checkpoint' || op.kind === 'restore';
}
