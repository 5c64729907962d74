/** What does a deadline that passed change? Nothing, unless it is armed and due: a repeated one finds neither (R8). */
import { mayRetry } from '../retry/budgets.ts';
import type { DeadlineName, InFlight } from '../worker/worker.ts';
import { become, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { renew, SAME_AGENT } from './doubt.ts';
import { notBefore, onlyLogged } from './incident.ts';
import { codeOfOrder } from './order-codes.ts';
import { recover } from './recover.ts';
import { pauseOver } from './account.ts';
import { troubleOver } from './agent-errors.ts';
import { periodicDue } from './checkpoints.ts';
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
      return heard;
    case 'checkpoint':
      return periodicDue(heard);
    case 'account':
      return pauseOver(heard);
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
  const why = `no answer to "${inFlight.op.kind}" from the machine in ${Math.round((step.ctx.now - inFlight.since) / 1_000)} s`;
  const code = codeOfOrder(inFlight.op, 'timed-out');
  const durationMs = step.ctx.now - inFlight.since;
  const late = onlyLogged(set(rule(step, 'overdue'), { inFlight: null, note: why }), { code, why, durationMs });
  return concluded(late, inFlight.op, {
    seq: inFlight.seq,
    result: { kind: 'unknown', why },
  });
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
  // A person is asked already, or their answer is on its way: it is not started over and over meanwhile.
  if (worker.incident?.escalated === true || worker.dialog?.by === 'person') {
    const up = set(rule(step, 'start-up:person-asked'), { pane: { ...worker.pane, kind: 'up' } });
    return worker.status === 'offline' ? become(up, worker.before, 'its session is there, without a prompt') : up;
  }
  const startFailures = worker.startFailures + 1;
  const why = `its agent showed no prompt within ${ctx.policy.startUp.timeoutMs / 1000} s`;
  const failure = { code: 'AGENT_SPAWN_FAILED', why, durationMs: ctx.now - worker.pane.since } as const;
  const { incarnation } = worker.pane;
  // What is started by a person, or after the session was lost, is another matter with a budget of its own.
  if (!mayRetry('AGENT_SPAWN_FAILED', { spent: worker.startFailures, policy: ctx.policy })) {
    return recover(set(step, { startFailures: 0, pane: { kind: 'up', incarnation, since: ctx.now } }), failure, null);
  }
  const at = notBefore(step, ctx.now);
  const again = { kind: 'starting', incarnation, since: ctx.now } as const;
  return recover(set(step, { startFailures, pane: again }), failure, {
    plan: 'policy',
    attempt: { action: 'start it again', at },
    act: (known) =>
      // R3: a fresh look must agree that no prompt is there.
      renew(
        set(known, {
          holdUntil: at > ctx.now ? at : worker.holdUntil,
          note: why,
        }),
        SAME_AGENT,
      ),
  });
}

function settled(step: Step): Step {
  const { seen } = step.worker;
  return seen !== null && seen.state.kind === 'ready' ? set(step, { judgeDue: true }) : step;
}
