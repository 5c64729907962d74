/** What does a deadline that passed change? Nothing, unless it is armed and due: a repeated one finds neither (R8). */
import type { DeadlineName, InFlight } from '../worker/worker.ts';
import { givenUp } from './crash.ts';
import { rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { attempted, noticed } from './incident.ts';
import { troubleOver } from './agent-errors.ts';
import { concluded } from './finished.ts';
import { withoutProgress } from './stuck.ts';

/** Hears of one deadline, takes it from the armed ones and changes the facts that it stands for. */
export function expired(step: Step, name: DeadlineName): Step {
  const { worker, ctx } = step;
  const due = worker.deadlines[name];
  if (due === undefined || ctx.now < due) return rule(step, `stale:deadline:${name}`);
  const { [name]: _expired, ...deadlines } = worker.deadlines;
  const heard = set(rule(step, `deadline:${name}`), { deadlines });
  switch (name) {
    case 'command':
      return worker.inFlight === null ? heard : overdue(heard, worker.inFlight);
    case 'start-up':
      return startedTooSlowly(heard);
    case 'settle':
      return settled(heard);
    case 'check':
      return set(heard, { judgeDue: true });
    case 'nudge':
      return withoutProgress(heard);
    case 'trouble':
      return troubleOver(heard);
    // `advance` acts on these from the facts.
    case 'restart':
    case 'delivery':
    case 'hold':
    case 'accept':
    case 'checkpoint':
    case 'account':
      return heard;
    default:
      return name satisfies never;
  }
}

/** No result in time. While the machine is away that says nothing; otherwise the outcome is unknown. */
function overdue(step: Step, inFlight: InFlight): Step {
  const { overdueMax, timeoutMs } = step.ctx.policy.command;
  const count = inFlight.overdue + 1;
  if (!step.ctx.machineConnected || count < overdueMax) {
    const dueAt = step.ctx.now + timeoutMs[inFlight.op.kind];
    return set(step, {
      inFlight: { ...inFlight, dueAt, overdue: step.ctx.machineConnected ? count : inFlight.overdue },
    });
  }
  const why = `no answer to "${inFlight.op.kind}" from the machine`;
  const known = noticed(set(step, { inFlight: null, note: why }), { code: 'AGENT_TIMEOUT', why }, 'retry');
  const late = attempted(known, { action: 'look, then repeat', strategy: 'retry' });
  return concluded(late, inFlight.op, { seq: inFlight.seq, result: { kind: 'unknown', why } });
}

function startedTooSlowly(step: Step): Step {
  const { worker, ctx } = step;
  if (worker.pane.kind !== 'starting') return step;
  // Its work is being merged, which needs no agent, and after which the session is closed anyway.
  if (worker.accept !== null && worker.accept.step !== 'waiting') {
    return set(rule(step, 'start-up:while-merging'), {
      pane: { kind: 'up', incarnation: worker.pane.incarnation, since: ctx.now },
    });
  }
  const startFailures = worker.startFailures + 1;
  const counted = set(step, { startFailures });
  const why = `its agent showed no prompt within ${ctx.policy.startUp.timeoutMs / 1000} s`;
  if (startFailures >= ctx.policy.startUp.attemptsMax) {
    return givenUp(
      // What is started by a person, or after the session was lost, is another matter with a budget of its own.
      set(counted, { startFailures: 0, pane: { kind: 'up', incarnation: worker.pane.incarnation, since: ctx.now } }),
      'AGENT_SPAWN_FAILED',
      why,
    );
  }
  const again = set(counted, {
    pane: { kind: 'up', incarnation: worker.pane.incarnation, since: ctx.now },
    respawnDue: true,
    note: why,
  });
  const known = noticed(again, { code: 'AGENT_SPAWN_FAILED', why }, 'retry');
  return attempted(known, { action: 'start it again', strategy: 'retry' });
}

function settled(step: Step): Step {
  const { seen } = step.worker;
  return seen !== null && seen.state.kind === 'ready' ? set(step, { judgeDue: true }) : step;
}
