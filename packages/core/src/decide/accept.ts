/**
 * How is accepted work merged? One step after the other, each an order that is safe to repeat, each result
 * recorded in the row, so that any coordinator can go on after a crash. Only the worker that holds the
 * project's merge lease is past `waiting`.
 *
 * What is merged is what was reviewed (docs/adr/0078-what-was-reviewed.md): each order names the commit and the tree that it
 * acts on, each result those that it has left, and only a result for the former makes the latter the next to be acted on.
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
      return order(step, { kind: 'rebase', at: accept.pin });
    case 'validate':
      return order(step, { kind: 'validate', at: accept.pin });
    case 'squash':
      return order(step, { kind: 'squash', base: accept.base ?? '', at: accept.pin });
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
      return rebased(step, accept, result);
    case 'conflict':
      return conflicted(released(step, 'accept:conflict'), result);
    case 'valid':
      if (result.head !== accept.pin.head || result.tree !== accept.pin.tree) return unnamed(step, accept);
      return at(works(step, 'valid'), accept, { step: 'squash' });
    case 'invalid':
      return invalid(released(step, 'accept:invalid'), result);
    case 'squashed':
      return squashed(step, accept, result);
    case 'changed':
      return changed(step, accept, result);
    case 'nothing-to-merge':
      return at(step, accept, { step: 'close', commit: accept.base });
    case 'merged':
      return result.commit === accept.commit ? merged(step, accept, result.commit) : unnamed(step, accept);
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

function rebased(step: Step, accept: Accept, result: Extract<OpResult, { kind: 'rebased' }>): Step {
  if (result.from !== accept.pin.head) return unnamed(step, accept);
  const ready = set(works(step, 'rebased'), { worktree: { kind: 'ready', base: result.base } });
  const moved = movedTo(ready, result.head);
  if (result.unseen !== null) return stopped(moved, result.unseen);
  return at(moved, accept, {
    step: 'validate',
    base: result.base,
    pin: { head: result.head, tree: result.tree },
  });
}

function squashed(step: Step, accept: Accept, result: Extract<OpResult, { kind: 'squashed' }>): Step {
  const { commit, tree, expected } = result;
  if (tree !== accept.pin.tree) return unnamed(step, accept);
  return at(movedTo(step, commit), accept, { step: 'fast-forward', pin: { head: commit, tree }, commit, expected });
}

/** What is there is not what was reviewed. Nothing of it is merged, unless it came after the merge. */
function changed(step: Step, accept: Accept, { head, why }: Extract<OpResult, { kind: 'changed' }>): Step {
  const { git } = step.worker;
  // Git is asked what it is now.
  const known = set(rule(step, 'accept:changed'), { git: git === null ? null : { ...git, head }, judgeDue: true });
  if (accept.step !== 'recycle') return stopped(known, why);
  const base = accept.commit ?? '';
  return ended(set(known, { worktree: { kind: 'ready', base } }), `merged as ${base.slice(0, 12)}, but ${why}`);
}

/** A machine of an older build, or one that errs: nothing says that this is what was reviewed. */
function unnamed(step: Step, { pin, step: at }: Accept): Step {
  const named = `its machine did not say that "${at}" was done to ${pin.head.slice(0, 12)}`;
  return stopped(rule(step, 'accept:unnamed'), `${named}: see that Drover there is not older than its coordinator`);
}

/** The accept ends without a merge; the work still waits for review. */
export function stopped(step: Step, why: string): Step {
  return ended(step, `not merged: ${why}`);
}

function ended(step: Step, text: string): Step {
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
