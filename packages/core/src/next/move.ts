/** Issues the next step of a move. */
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { isAlive } from '../worker/session.ts';
import type { Worker } from '../worker/worker.ts';

/** Tells whether the move has something to do before anything else. */
export function isMoveStepDue({ move }: Worker): boolean {
  return move.kind !== 'none' && !(move.kind === 'arriving' && move.step === 'show') && move.kind !== 'carrying';
}

/** Tells whether both machines wait until the luggage is carried. */
export function isCarried({ move }: Worker): boolean {
  return move.kind === 'carrying';
}

/** Issues the next step of a move. R3: a person asked for the move, so a living agent may be ended for it. */
export function issueMoveStep(step: Step): Step {
  const { move, session } = step.worker;
  switch (move.kind) {
    case 'none':
    case 'carrying':
      return step;
    case 'leaving':
      if (session.pane.kind !== 'absent') return issue(step, { kind: 'close' });
      return issue(step, { kind: 'freeze', move: move.route.id, id: move.route.id, mustSave: true });
    case 'arriving': {
      const { id } = move.route;
      if (move.step === 'let-in') return issue(step, { kind: 'let-in', move: id });
      // The session is of another time, such as one that a person started there under its name: files are not changed under an agent.
      if (isAlive(session.pane)) return issue(step, { kind: 'close' });
      return issue(step, { kind: 'restore', id, commit: move.luggage.commit, saveAs: step.ctx.fresh });
    }
    case 'returning':
      if (move.step === 'let-in') return issue(step, { kind: 'let-in', move: move.route.id });
      if (session.pane.kind !== 'absent') return issue(step, { kind: 'close' });
      return issue(step, { kind: 'freeze', move: move.route.id, id: move.saveAs, mustSave: false });
    default:
      return move satisfies never;
  }
}
