/**
 * How is accepted work merged? One step after the other, each an order that is safe to repeat, each result
 * recorded in the row, so that any coordinator can go on after a crash. Only the worker that holds the
 * project's merge lease is past `waiting`.
 */
import type { OpResult } from '../worker/op.ts';
import type { Accept } from '../worker/worker.ts';
import { become, order, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { works } from './incident.ts';
import { conflicted, invalid } from './rework.ts';
import { unreadTexts, wordsDropped } from './words.ts';

/** Gives the order of the present step. */
export function orderAccept(step: Step): Step {
  const { accept } = step.worker;
  if (accept === null) return step;
  switch (accept.step) {
    case 'waiting':
      return takeTurn(step, accept);
    case 'rebase':
      return order(step, { kind: 'rebase' });
    case 'validate':
      return order(step, { kind: 'validate' });
    case 'squash':
      return order(step, { kind: 'squash', base: accept.base ?? '' });
    case 'fast-forward':
      return order(step, { kind: 'fast-forward', expected: accept.expected ?? '', commit: accept.commit ?? '' });
    case 'close':
      return step.worker.pane.kind === 'absent'
        ? orderAccept(at(step, accept, { step: 'recycle' }))
        : order(step, { kind: 'close' });
    case 'recycle':
      return order(step, { kind: 'recycle', commit: accept.commit ?? '' });
    default:
      return accept.step satisfies never;
  }
}

function takeTurn(step: Step, accept: Accept): Step {
  if (step.ctx.mergeLease === 'other') return rule(step, 'accept:waits-for-its-turn');
  const mine = step.ctx.mergeLease === 'mine' ? step : record(step, { kind: 'lease', action: 'acquire' });
  return orderAccept(at(mine, accept, { step: 'rebase' }));
}

/** What the result of a step leads to. A result that does not belong to the step ends the accept. */
export function acceptFinished(step: Step, accept: Accept, result: OpResult): Step {
  switch (result.kind) {
    case 'rebased':
      return at(movedTo(works(step, 'rebased'), result.head), accept, { step: 'validate', base: result.base });
    case 'conflict':
      return conflicted(released(step, 'accept:conflict'), result);
    case 'valid':
      return at(works(step, 'valid'), accept, { step: 'squash' });
    case 'invalid':
      return invalid(released(step, 'accept:invalid'), result);
    case 'squashed':
      return at(step, accept, { step: 'fast-forward', commit: result.commit, expected: result.expected });
    case 'nothing-to-merge':
      return at(step, accept, { step: 'close', commit: accept.base });
    case 'merged':
      return merged(step, accept, result.commit);
    case 'moved':
      return at(rule(step, 'accept:default-branch-moved'), accept, { step: 'rebase' });
    case 'blocked':
      return stopped(step, result.why);
    case 'closed':
      return at(set(step, { pane: { kind: 'absent' }, seen: null }), accept, { step: 'recycle' });
    case 'recycled':
      return recycled(step, result.base);
    default:
      return stopped(step, `its machine answered "${result.kind}" to step "${accept.step}"`);
  }
}

/** The work was moved: its commit has another name, and is no new work of the agent. */
export function movedTo(step: Step, head: string): Step {
  const { git } = step.worker;
  return set(step, { git: git === null ? null : { ...git, head } });
}

/** The accept ends without a merge; the work still waits for review. */
export function stopped(step: Step, why: string): Step {
  const text = `not merged: ${why}`;
  return record(set(released(step, 'accept:stopped'), { note: text }), { kind: 'notice', text });
}

function merged(step: Step, accept: Accept, commit: string): Step {
  const next = at(rule(step, 'accept:merged'), accept, { step: 'close', commit });
  return record(next, { kind: 'default-branch-moved', commit });
}

/** The worktree is fresh: the seat is free, with a fresh agent in it. */
function recycled(step: Step, base: string): Step {
  const { task, accept } = step.worker;
  const how = accept?.commit === accept?.base ? 'there was nothing to merge' : 'its work was merged';
  const told = wordsDropped(step, unreadTexts(step.worker), `${how}, perhaps before its agent had read`);
  const free = set(works(atRest(released(told, 'accept:done'), how), 'task-done'), {
    task: null,
    taskAttempts: 0,
    conflicts: null,
    checkpoint: null,
    checkpointDue: null,
    doubt: null,
    git: null,
    worktree: { kind: 'ready', base },
    conversation: null,
    respawnDue: false,
    crashes: { count: 0, lastAt: 0 },
    outgoing: null,
    backlog: [],
    queued: [],
    turnSince: null,
    restoreDue: false,
  });
  return task === null ? free : record(free, { kind: 'task', id: task.id, status: 'accepted' });
}

function atRest(done: Step, how: string): Step {
  const { status, wanted } = done.worker;
  if (status === 'offline') return set(done, { before: 'idle' });
  if (wanted === 'down') return set(become(done, 'offline', `${how}, then taken down by order`), { before: 'idle' });
  return become(done, 'idle', how);
}

function released(step: Step, name: string): Step {
  const { pane } = step.worker;
  const seat = pane.kind === 'dead' && pane.restartAt === null ? { ...pane, restartAt: step.ctx.now } : pane;
  return record(set(rule(step, name), { accept: null, failures: 0, pane: seat }), { kind: 'lease', action: 'release' });
}

function at(step: Step, accept: Accept, patch: Partial<Accept>): Step {
  return set(step, { accept: { ...accept, ...patch } });
}
