/** Moves a worker: carries the luggage, gives its row to the other machine, and waits until its agent is seen there. */
import { record, rule, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import { takeSetUp, takeSupplies } from '../../decision/supplies.ts';
import type { Success } from '../../machine/commands.ts';
import { onlyLog } from '../../recovery/incident.ts';
import type { WorkerEvent } from '../../worker/event.ts';
import { keepLast } from '../../worker/checkpoint.ts';
import { forgetFailures } from '../../worker/command.ts';
import { isAtTask } from '../../worker/lifecycle.ts';
import { setRestoreDue } from '../../worker/mailbox.ts';
import { arrive, beginCarrying, endMove, goOnArriving } from '../../worker/move.ts';
import type { Move } from '../../worker/move.ts';
import { closePane, setConversation } from '../../worker/session.ts';
import { comeBack, endReturn, turnBack } from './turn-back.ts';

type Event<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

/** Carries the luggage once the place is frozen. A worker that comes back belongs to the other machine no more. */
export function placeFrozen(step: Step, { commit }: Success<'freeze'>): Step {
  const { move, session, checkpoint } = step.worker;
  const named = set(rule(step, 'move:frozen'), { session: closePane(session) });
  if (move.kind === 'returning' && move.step === 'leave') return comeBack(named, move);
  if (move.kind !== 'leaving') return rule(step, 'move:stale');
  const { route } = move;
  if (commit === null) return turnBack(named, 'its machine made no checkpoint of its work');
  const { conversation } = session;
  const talk = conversation?.used === true ? conversation.id : null;
  const { now } = step.ctx;
  const carrying = set(named, {
    move: beginCarrying(route, { commit, conversation: talk }, now),
    // Only this checkpoint goes along.
    checkpoint: keepLast(checkpoint, { id: route.id, commit, at: now }),
  });
  const kept = record(carrying, {
    kind: 'checkpoint',
    id: route.id,
    type: 'manual',
    commit,
    conversation: talk,
    incident: null,
    why: `before its move to "${route.to.name}"`,
  });
  return record(kept, { kind: 'carriage', move: route.id });
}

/** Gives the worker to the other machine, which has everything and makes the worktree. */
export function carried(step: Step, { move: id, fresh }: Event<'move-carried'>): Step {
  const { move, session } = step.worker;
  if (move.kind !== 'carrying' || move.route.id !== id) return rule(step, 'move:stale');
  const { from, to } = move.route;
  const switched = record(rule(step, 'move:carried'), {
    kind: 'machine-changed',
    from: from.id,
    to: to.id,
    checkpoint: id,
  });
  const there = set(switched, {
    move: arrive(move, step.ctx.now),
    session: fresh === null ? session : setConversation(session, null),
  });
  const isNew = fresh !== null && move.luggage.conversation !== null;
  return isNew ? record(there, { kind: 'notice', text: `its agent begins a new conversation: ${fresh}` }) : there;
}

/** Turns the worker back, because its luggage cannot be carried. */
export function notCarried(step: Step, { move: id, why }: Event<'move-not-carried'>): Step {
  const { move } = step.worker;
  if (move.kind !== 'carrying' || move.route.id !== id) return rule(step, 'move:stale');
  return turnBack(onlyLog(step, { code: 'GIT_WORKTREE_FAILED', why, component: 'move' }), why);
}

/** Goes on with the arrival once the worktree is on the new machine. */
export function restoredThere(step: Step, { supplies, setUp }: Success<'restore'>): Step {
  const { move } = step.worker;
  if (move.kind !== 'arriving') return rule(step, 'move:stale');
  const { command } = step.worker;
  const there = set(rule(step, 'move:restored'), {
    move: goOnArriving(move, 'let-in'),
    command: forgetFailures(command),
  });
  return takeSupplies(takeSetUp(there, setUp), supplies);
}

/** Lets an agent start: on the other machine, or again in the former place. */
export function placeLetIn(step: Step): Step {
  const { move, mailbox, lifecycle } = step.worker;
  const named = rule(step, 'move:let-in');
  if (move.kind === 'returning') return endReturn(named, move);
  if (move.kind !== 'arriving') return rule(step, 'move:stale');
  return set(named, { move: goOnArriving(move, 'show'), mailbox: setRestoreDue(mailbox, isAtTask(lifecycle)) });
}

/** Ends the move once the new agent is seen; the remains in the former place go. */
export function endWhenSeen(step: Step): Step {
  const { move, session } = step.worker;
  if (move.kind !== 'arriving' || move.step !== 'show') return step;
  const { pane } = session;
  if (pane.kind !== 'up' || pane.seen === null || UNSEEN.has(pane.seen.state.kind)) return step;
  return arrived(step, move);
}

/** States of a screen before a program has started, or after its end. */
const UNSEEN: ReadonlySet<string> = new Set(['starting', 'exited', 'unknown']);

function arrived(step: Step, { route }: Extract<Move, { kind: 'arriving' }>): Step {
  const { from, to, id } = route;
  const ended = set(rule(step, 'move:arrived'), { move: endMove() });
  const told = record(ended, { kind: 'notice', text: `moved from "${from.name}" to "${to.name}"` });
  return record(told, { kind: 'place-left', machine: from.id, move: id });
}
