/** What does the result of an order change? Only the order in flight is heard: older results are late (R7). */
import { invariant } from '../invariant.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Op, OpResult } from '../worker/op.ts';
import { belongsTo } from '../worker/op-results.ts';
import { isBusy } from '../worker/status.ts';
import { acceptFinished, movedTo, stopped } from './accept.ts';
import { checkpointed, checkpointFailed, isSave, restoredTo, restoreFailed } from './checkpoints.ts';
import { become, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { answerFailed, answerStale, dialogAnswered, dialogGone } from './dialogs.ts';
import { notBefore, onlyLogged, works } from './incident.ts';
import type { Failure } from './incident.ts';
import { codeOfOrder } from './order-codes.ts';
import { isMerging } from './orders.ts';
import { delivered, deliveryUnknown, queueLost } from './delivery.ts';
import { lookedAt } from './judge.ts';
import { givenUp, recover } from './recover.ts';
import { conflicted } from './rework.ts';
import { worktreeLost } from './worktree-lost.ts';

/** Takes the result of the order in flight. A result under any other sequence number changes nothing. */
export function finished(step: Step, { seq, result }: Extract<WorkerEvent, { kind: 'command-finished' }>): Step {
  const { inFlight } = step.worker;
  if (inFlight === null || inFlight.seq !== seq) return rule(step, 'stale:command');
  const heard = set(step, { inFlight: null });
  if (belongsTo(inFlight.op, result)) return concluded(heard, inFlight.op, { seq, result });
  return misplaced(heard, inFlight.op, { seq, result });
}

/** What the machine says belongs to another order: how this one ended is not known. */
function misplaced(step: Step, op: Op, { seq, result }: { seq: number; result: OpResult }): Step {
  const why = `its machine answered "${result.kind}" to the order "${op.kind}"`;
  return concluded(rule(step, `misplaced:${op.kind}:${result.kind}`), op, { seq, result: { kind: 'unknown', why } });
}

/** Orders that nothing but a merge gives. An update may end one while its order is under way: nothing is to be repaired then. */
const ONLY_OF_MERGE: ReadonlySet<Op['kind']> = new Set(['validate', 'squash', 'fast-forward']);

/** Draws the conclusions from a result; also used when an order is given up as unknown. */
export function concluded(step: Step, op: Op, { seq, result }: { seq: number; result: OpResult }): Step {
  const isOver = ONLY_OF_MERGE.has(op.kind) && !isMerging(step.worker);
  if (isOver && (result.kind === 'failed' || result.kind === 'unknown'))
    return rule(step, `not-merging:${result.kind}`);
  if (result.kind === 'unknown') return outcomeUnknown(step, op, { seq, result });
  if (result.kind === 'failed') return failed(step, op, result);
  const again = step.worker.failures > 0 && !isSave(op) ? works(step, 'order-done') : step;
  return succeeded(isSave(op) ? again : set(again, { failures: 0 }), op, { seq, result });
}

type Success = Exclude<OpResult, { kind: 'failed' | 'unknown' }>;

function succeeded(step: Step, op: Op, { seq, result }: { seq: number; result: Success }): Step {
  const { accept } = step.worker;
  if (accept !== null && accept.step !== 'waiting' && op.kind !== 'look') return acceptFinished(step, accept, result);
  switch (result.kind) {
    case 'prepared':
      return prepared(step, result);
    case 'opened':
      return opened(step, result.incarnation);
    case 'pane-gone':
      return set(rule(step, 'pane-gone'), { pane: { kind: 'absent' }, seen: null });
    case 'closed':
      return closed(step);
    case 'removed':
      return record(rule(step, 'removed'), { kind: 'gone' });
    case 'not-removed':
      return record(set(rule(step, 'not-removed'), { wanted: 'up', note: `not removed: ${result.why}` }), {
        kind: 'notice',
        text: result.why,
      });
    case 'delivered':
    case 'queued':
    case 'refused':
    case 'lost':
    case 'partial':
      invariant(op.kind === 'deliver', `A "${op.kind}" ended as a delivery`);
      return delivered(step, op, { seq, result });
    case 'looked':
      invariant(op.kind === 'look', `A "${op.kind}" ended as a look`);
      return lookedAt(step, op, result);
    case 'answered':
      return dialogAnswered(step, result);
    case 'stale':
      return answerStale(step);
    case 'checkpointed':
      return checkpointed(step, result);
    case 'restored':
      return restoredTo(step);
    case 'rebased':
      return rebased(step, result);
    case 'conflict':
      return conflicted(step, result);
    // A step of a merge that was given up meanwhile.
    case 'valid':
    case 'invalid':
    case 'squashed':
    case 'nothing-to-merge':
    case 'merged':
    case 'moved':
    case 'blocked':
    case 'changed':
    case 'recycled':
      return rule(step, `not-merging:${result.kind}`);
    default:
      return result satisfies never;
  }
}

function prepared(step: Step, { base, head, saved }: Extract<OpResult, { kind: 'prepared' }>): Step {
  const { task } = step.worker;
  const ready = set(rule(step, 'prepared'), {
    worktree: { kind: 'ready', base },
    resetDue: false,
    // A worktree that is made anew in the midst of a task has the task's commits already.
    task: task === null || task.taken ? task : { ...task, headBefore: head },
  });
  if (saved === null) return ready;
  return record(ready, { kind: 'notice', text: `work that was not committed was saved as ${saved}` });
}

/** A new life: whatever the program before had queued went with it. */
function opened(step: Step, incarnation: string): Step {
  return set(rule(queueLost(step), 'opened'), {
    pane: { kind: 'starting', incarnation, since: step.ctx.now },
    seen: null,
    respawnDue: false,
    doubt: null,
    dialog: null,
  });
}

function closed(before: Step): Step {
  const step = dialogGone(before);
  const { status, wanted } = step.worker;
  const gone = set(rule(queueLost(step), 'closed'), {
    pane: { kind: 'absent' },
    seen: null,
    turnSince: null,
    judgeDue: false,
  });
  if (wanted !== 'down' || status === 'offline') return gone;
  return become(set(gone, { before: status, restoreDue: isBusy(status) }), 'offline', 'taken down by order');
}

function rebased(step: Step, { base, head, moved }: Extract<OpResult, { kind: 'rebased' }>): Step {
  const known = works(rule(step, moved ? 'rebased' : 'rebase-not-needed'), 'rebased');
  return set(movedTo(known, head), { rebaseDue: false, worktree: { kind: 'ready', base } });
}

/** Orders are safe to repeat after a look; a delivery is looked for in its own way (R5). */
function outcomeUnknown(
  step: Step,
  op: Op,
  { seq, result: { why, receipt } }: { seq: number; result: Extract<OpResult, { kind: 'unknown' }> },
): Step {
  if (op.kind === 'deliver') return deliveryUnknown(step, op, { seq, receipt });
  if (op.kind === 'checkpoint') return checkpointFailed(rule(step, 'unknown:checkpoint'), why);
  if (op.kind === 'answer') return answerStale(rule(step, 'unknown:answer'));
  // R2: an order whose end nobody ever learns of is not repeated without end either.
  const failures = step.worker.failures + 1;
  const named = set(rule(step, `unknown:${op.kind}`), { failures });
  if (failures < step.ctx.policy.command.retry.attemptsMax) return named;
  return beyondRepair(set(named, { failures: 0 }), op, { code: codeOfOrder(op, 'timed-out'), why });
}

/** A failed order cools down and is given again while the budget lasts. */
function failed(step: Step, op: Op, { code, message, retry }: Extract<OpResult, { kind: 'failed' }>): Step {
  const named = rule(step, `failed:${op.kind}:${code}`);
  if (op.kind === 'checkpoint') return checkpointFailed(named, message);
  if (op.kind === 'restore') return restoreFailed(named, message);
  if (op.kind === 'answer') return answerFailed(named, op, message);
  if (code === 'worktree-missing') return worktreeLost(named);
  const { waitMs, attemptsMax } = step.ctx.policy.command.retry;
  const failures = step.worker.failures + 1;
  const failure = { code: codeOfOrder(op, code), why: `"${op.kind}" failed: ${message}`, details: message };
  // Nobody repeats it before the work is in review again: what the worker waits for now goes on. R2: that may be soon.
  if (op.kind === 'rebase' && step.worker.accept === null && step.worker.status !== 'needs_review')
    return set(onlyLogged(named, failure), { holdUntil: step.ctx.now + waitMs });
  if (!retry || failures >= attemptsMax) return beyondRepair(set(named, { failures: 0 }), op, failure);
  const at = notBefore(step, step.ctx.now + waitMs);
  return recover(set(named, { failures, note: failure.why, holdUntil: at }), failure, {
    plan: 'own',
    attempt: { action: `repeat "${op.kind}" in ${at - step.ctx.now} ms`, at },
    act: (known) => known,
  });
}

/** Orders of a merge before it is one. */
const MERGING: ReadonlySet<Op['kind']> = new Set(['rebase', 'validate', 'squash', 'fast-forward']);

function beyondRepair(step: Step, op: Op, failure: Failure): Step {
  const { accept, wanted } = step.worker;
  const { why } = failure;
  const { checkEveryMs, command } = step.ctx.policy;
  const holdUntil = step.ctx.now + command.retry.waitMs;
  if (wanted === 'gone' || wanted === 'gone-by-force') return notRemoved(onlyLogged(step, failure), op, why);
  // A step of a merge would fail again and again, whatever is wanted afterwards.
  if (accept !== null && (MERGING.has(op.kind) || wanted === 'up')) {
    // R2: nor is the order that failed so often begun at once by what else was waiting, or by a default branch that moves.
    const spent = op.kind === 'rebase' ? set(step, { rebaseDue: false }) : step;
    return set(stopped(onlyLogged(spent, failure), why), wanted === 'up' ? { holdUntil } : {});
  }
  if (wanted === 'down') return set(onlyLogged(step, failure), { holdUntil: step.ctx.now + checkEveryMs });
  if (op.kind === 'rebase') return set(onlyLogged(step, failure), { rebaseDue: false, note: why, holdUntil });
  const asked = givenUp(set(step, { resetDue: false, note: why }), failure);
  // What is tried again while a person is asked is tried at leisure (R2).
  return asked.worker.worktree.kind === 'none'
    ? set(asked, { holdUntil: step.ctx.now + checkEveryMs })
    : set(asked, { holdUntil });
}

/** An order from before says nothing of the removal, which goes on. R2: it may come again if nothing is removed. */
function notRemoved(step: Step, op: Op, why: string): Step {
  const holdUntil = step.ctx.now + step.ctx.policy.command.retry.waitMs;
  if (op.kind !== 'close' && op.kind !== 'remove') return set(step, { holdUntil });
  return record(set(step, { wanted: 'up', note: why, holdUntil }), { kind: 'notice', text: `not removed: ${why}` });
}
