/** What does the result of an order change? Only the order in flight is heard: older results are late (R7). */
import type { WorkerEvent } from '../worker/event.ts';
import type { Op, OpResult } from '../worker/op.ts';
import { isBusy } from '../worker/status.ts';
import { acceptFinished, conflicted, stopped } from './accept.ts';
import { givenUp } from './crash.ts';
import { become, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { attempted, noticed } from './incident.ts';
import { codeOfOrder } from './order-codes.ts';
import { delivered, deliveryUnknown, queueLost } from './delivery.ts';
import { lookedAt } from './judge.ts';

/** Takes the result of the order in flight. A result under any other sequence number changes nothing. */
export function finished(step: Step, { seq, result }: Extract<WorkerEvent, { kind: 'command-finished' }>): Step {
  const { inFlight } = step.worker;
  if (inFlight === null || inFlight.seq !== seq) return rule(step, 'stale:command');
  return concluded(set(step, { inFlight: null }), inFlight.op, { seq, result });
}

/** Draws the conclusions from a result; also used when an order is given up as unknown. */
export function concluded(step: Step, op: Op, { seq, result }: { seq: number; result: OpResult }): Step {
  if (result.kind === 'unknown') return outcomeUnknown(step, op, seq);
  if (result.kind === 'failed') return failed(step, op, result);
  return succeeded(set(step, { failures: 0 }), op, { seq, result });
}

function succeeded(step: Step, op: Op, { seq, result }: { seq: number; result: OpResult }): Step {
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
      return op.kind === 'deliver' ? delivered(step, op, { seq, result }) : misplaced(step, op, result);
    case 'looked':
      return op.kind === 'look' ? lookedAt(step, op, result) : misplaced(step, op, result);
    case 'answered':
      // Only a screen seen after the answer says whether it helped.
      return set(rule(step, `answered:${result.label}`), { seen: null });
    case 'stale':
      return set(rule(step, 'answer-stale'), { seen: null });
    case 'rebased':
      return rebased(step, result);
    case 'conflict':
      return conflicted(step, result);
    default:
      return misplaced(step, op, result);
  }
}

function prepared(step: Step, { base, head, saved }: Extract<OpResult, { kind: 'prepared' }>): Step {
  const { task } = step.worker;
  const ready = set(rule(step, 'prepared'), {
    worktree: { kind: 'ready', base },
    resetDue: false,
    task: task === null ? null : { ...task, headBefore: head },
  });
  if (saved === null) return ready;
  return record(ready, { kind: 'notice', text: `work that was not committed was saved as ${saved}` });
}

function opened(step: Step, incarnation: string): Step {
  return set(rule(step, 'opened'), {
    pane: { kind: 'starting', incarnation, since: step.ctx.now },
    seen: null,
    respawnDue: false,
  });
}

function closed(step: Step): Step {
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
  const { git } = step.worker;
  return set(rule(step, moved ? 'rebased' : 'rebase-not-needed'), {
    rebaseDue: false,
    worktree: { kind: 'ready', base },
    git: git === null ? null : { ...git, head },
  });
}

/** Orders are safe to repeat after a look; a delivery is looked for in its own way (R5). */
function outcomeUnknown(step: Step, op: Op, seq: number): Step {
  if (op.kind === 'deliver') return deliveryUnknown(step, op, seq);
  return rule(step, `unknown:${op.kind}`);
}

/** A failed order cools down and is given again while the budget lasts. */
function failed(step: Step, op: Op, { code, message, retry }: Extract<OpResult, { kind: 'failed' }>): Step {
  const { waitMs, attemptsMax } = step.ctx.policy.command.retry;
  const failures = step.worker.failures + 1;
  const why = `"${op.kind}" failed: ${message}`;
  const noted = set(rule(step, `failed:${op.kind}:${code}`), { failures, note: why });
  if (retry && failures < attemptsMax) {
    const cooling = set(noted, { holdUntil: step.ctx.now + waitMs });
    const known = noticed(cooling, { code: codeOfOrder(op, code), why, details: message }, 'retry');
    return attempted(known, { action: `repeat "${op.kind}" in ${waitMs} ms (${message})`, strategy: 'retry' });
  }
  return beyondRepair(set(noted, { failures: 0 }), op, { code, why });
}

function beyondRepair(step: Step, op: Op, { code, why }: { code: string; why: string }): Step {
  const { accept, wanted } = step.worker;
  if (wanted === 'gone' || wanted === 'gone-by-force') {
    return record(set(step, { wanted: 'up', note: why }), { kind: 'notice', text: `not removed: ${why}` });
  }
  if (wanted === 'down') return set(step, { holdUntil: step.ctx.now + step.ctx.policy.checkEveryMs });
  if (accept !== null) return stopped(step, why);
  if (op.kind === 'rebase') return set(step, { rebaseDue: false });
  return givenUp(set(step, { resetDue: false }), codeOfOrder(op, code), why);
}

function misplaced(step: Step, op: Op, result: OpResult): Step {
  return rule(step, `misplaced:${op.kind}:${result.kind}`);
}
