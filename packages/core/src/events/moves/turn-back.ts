/** Turns back a move that cannot go on: the worker goes back to its former machine. An agent is never left running in two places. */
import { note, record, rule, set } from '../../decision/step.ts';
import type { Step } from '../../decision/step.ts';
import { closeQuestion } from '../../recovery/close-question.ts';
import { tryNextWay } from '../../recovery/ladder.ts';
import { requeueTexts } from '../../recovery/mail.ts';
import { incidentOfMove } from '../../recovery/ways/other-machine.ts';
import { tryAgain } from '../../requests/resume.ts';
import { holdUntil, land } from '../../worker/command.ts';
import { isAtTask } from '../../worker/lifecycle.ts';
import { setRestoreDue } from '../../worker/mailbox.ts';
import { beginReturn, endMove, letBackIn } from '../../worker/move.ts';
import type { Move, Route } from '../../worker/move.ts';
import { closePane, isAlive, setConversation } from '../../worker/session.ts';
import type { Worker } from '../../worker/worker.ts';

type Returning = Extract<Move, { kind: 'returning' }>;

/** Gives the move up, wherever it is. */
export function turnBack(step: Step, why: string): Step {
  const { move, session } = step.worker;
  const { fresh: saveAs } = step.ctx;
  switch (move.kind) {
    case 'none':
    case 'returning':
      return step;
    case 'leaving':
    case 'carrying':
      return set(named(step, why), { move: beginReturn(move, { step: 'let-in', saveAs, why }) });
    case 'arriving': {
      const back = beginReturn(move, { step: 'leave', saveAs, why });
      const turned = set(named(step, why), { move: back });
      // No agent was started there, so its machine, which may never answer, need not be asked, unless it has reported an agent itself.
      const isEmpty = move.step === 'restore' && !isAlive(session.pane);
      return isEmpty && back.kind === 'returning' ? comeBack(turned, back) : turned;
    }
    default:
      return move satisfies never;
  }
}

function named(step: Step, why: string): Step {
  return note(rule(step, 'move:turned-back'), `returns from its move: ${why}`);
}

/** Gives the row back to the former machine. The remains on the other machine go to the trash there. */
export function comeBack(step: Step, move: Returning): Step {
  const { command } = step.worker;
  const { session } = requeueTexts(step).worker;
  const { from, to, id } = move.route;
  const switched = record(requeueTexts(step), {
    kind: 'machine-changed',
    from: to.id,
    to: from.id,
    checkpoint: id,
  });
  const talk = move.luggage?.conversation ?? null;
  const back = set(switched, {
    move: letBackIn(move),
    // The last command to the other machine is not awaited.
    command: holdUntil(land(command), null),
    session: setConversation(closePane(session), talk === null ? null : { id: talk, used: true }),
  });
  return record(back, { kind: 'place-left', machine: to.id, move: id });
}

/** Lets the agent in again at its former place; the work goes on. */
export function endReturn(step: Step, move: Returning): Step {
  const { why, route } = move;
  const told = record(set(rule(step, 'move:back'), { move: endMove() }), {
    kind: 'notice',
    text: `did not move to "${route.to.name}": ${why}`,
  });
  return goOn(note(told, `did not move to "${route.to.name}": ${why}`), route);
}

/** Continues recovery after a move of its own was given up: takes the next alternative, or leaves its question open. Null: a person's move. */
export function tryElsewise(step: Step, route: Route): Step | null {
  const trouble = incidentOfMove(step.worker, route);
  if (trouble === null) return null;
  const { code, why, escalated } = trouble;
  return escalated ? step : tryNextWay(step, { code, why });
}

/** Closes a question about the other machine without an answer, and tries again here. */
function goOn(step: Step, route: Route): Step {
  const { incident, lifecycle, mailbox, session } = step.worker;
  const { open } = incident;
  const elsewise = tryElsewise(step, route);
  if (elsewise !== null) return elsewise;
  if (open?.escalated === true && lifecycle.status === 'error') return tryAgain(closeQuestion(step, 'resolved'), open);
  // The session was never closed: the agent still works, and needs no second copy of its task.
  if (isAlive(session.pane)) return step;
  return set(step, { mailbox: setRestoreDue(mailbox, isAtTask(lifecycle)) });
}

/** Brings back a worker that needs a person on the other machine: its former machine worked. */
export function turnBackInTrouble(step: Step, before: Worker): Step {
  const { move, incident, lifecycle } = step.worker;
  if (move.kind === 'none' || move.kind === 'returning' || before.move.kind === 'none') return step;
  const { open } = incident;
  const isAsked = open !== null && open.escalated && before.incident.open?.escalated !== true;
  const hasFailed = lifecycle.status === 'error' && before.lifecycle.status !== 'error';
  if (!hasFailed && (!isAsked || open.code === 'MACHINE_LOST')) return step;
  return turnBack(step, open?.why ?? lifecycle.note);
}
