/** The program of a pane ended: was it a person, a limit or a crash, and what follows? (docs/recovery.md, session crash) */
import type { ExitFacts } from '../worker/event.ts';
import { isBusy } from '../worker/status.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import { escalated } from './escalation.ts';
import { attempted, noticed } from './incident.ts';
import { become, rule, set } from './decision.ts';
import type { Step } from './decision.ts';

/** Exit statuses by which a person's own exit is known: `/exit` and Ctrl-C. */
const USER_EXITS: ReadonlySet<number> = new Set([0, 130]);
const FATAL = /\b(FATAL|panic(ked)?)\b/;

/**
 * Judges how a program ended and arms what follows: nothing by itself after a person's exit, a restart after a crash or
 * a limit, `error` when the budget of `policy.crash` is spent. The caller has checked that the exit is of the present
 * incarnation, so an exit told twice is counted once (R8).
 */
export function crashed(step: Step, exit: ExitFacts): Step {
  const { worker } = step;
  const cutOff = isBusy(worker.status) && worker.task !== null && worker.task.taken;
  const ended = set(step, { seen: null, turnSince: null, judgeDue: false, restoreDue: worker.restoreDue || cutOff });
  // Its work is being merged, after which the session is closed anyway.
  if (worker.accept !== null && worker.accept.step !== 'waiting') {
    return set(rule(ended, 'exit:while-merging'), {
      pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null },
    });
  }
  // A program that never came up was not ended by its user, whatever its status says. And whoever ended one that had not
  // been given its task yet did not end the task.
  const cameUp = worker.pane.kind === 'up' && worker.status !== 'offline';
  if (
    cameUp &&
    worker.outgoing?.purpose !== 'task' &&
    exit.status !== null &&
    exit.signal === null &&
    USER_EXITS.has(exit.status)
  )
    return userExit(ended, exit);
  if (exit.limit !== null) return limitReached(ended, exit);
  return countedCrash(ended, exit);
}

/** The seat stays empty until somebody starts a task; what was committed is judged first. */
function userExit(step: Step, exit: ExitFacts): Step {
  const { status } = step.worker;
  const left = set(rule(step, 'exit:user'), { pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null } });
  if (!isBusy(status) && status !== 'needs_input') return left;
  return set(left, { judgeDue: true, restoreDue: false, outgoing: null, backlog: [], queued: [] });
}

function limitReached(step: Step, exit: ExitFacts): Step {
  const { ctx } = step;
  const restartAt = ctx.now + ctx.policy.crash.limitWaitMs;
  const waiting = set(rule(step, 'exit:limit'), {
    pane: { kind: 'dead', incarnation: exit.incarnation, restartAt },
    note: 'waits for a limit to reset',
  });
  const known = noticed(waiting, { code: 'USAGE_LIMIT', why: 'its program ended at a limit' }, 'retry');
  return attempted(known, { action: `wait until ${restartAt}`, strategy: 'retry', at: restartAt, isWait: true });
}

function countedCrash(step: Step, exit: ExitFacts): Step {
  const { worker, ctx } = step;
  const { countMax, forgetAfterMs, restartAfterMs } = ctx.policy.crash;
  const forgotten = ctx.now - worker.crashes.lastAt > forgetAfterMs;
  const count = forgotten ? 1 : worker.crashes.count + 1;
  const how = describeExit(exit);
  const fatal = exit.lastLines.some((line) => FATAL.test(line));
  const counted = set(step, { crashes: { count, lastAt: ctx.now } });
  if (fatal || count >= countMax) {
    const why = fatal ? `its agent ended with a fatal error (${how})` : `its agent crashed ${count} times (${how})`;
    return givenUp(
      set(counted, { pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null } }),
      'AGENT_CRASHED',
      why,
    );
  }
  const restartAt = ctx.now + restartAfterMs;
  const cooling = set(rule(counted, 'exit:crash'), {
    pane: { kind: 'dead', incarnation: exit.incarnation, restartAt },
    note: `its agent crashed (${how}); restart ${count} of ${countMax - 1}`,
  });
  const known = noticed(cooling, { code: 'AGENT_CRASHED', why: `its agent crashed (${how})` }, 'restart');
  return attempted(known, { action: `restart in ${restartAfterMs} ms (${how})`, strategy: 'restart', at: restartAt });
}

/** The budget is spent or nothing can help: error, and a person is told once. */
export function givenUp(step: Step, code: ErrorCode, why: string): Step {
  const { accept } = step.worker;
  const failed = set(step, {
    accept: accept?.step === 'waiting' ? null : accept,
    outgoing: null,
    backlog: [],
    queued: [],
    judgeDue: false,
    turnSince: null,
    holdUntil: null,
    failures: 0,
  });
  const ended = become(rule(failed, `give-up:${code}`), 'error', why);
  return escalated(noticed(ended, { code, why }, 'escalate'), why);
}

function describeExit({ status, signal }: ExitFacts): string {
  if (signal !== null) return `signal ${signal}`;
  return status === null ? 'status not known' : `status ${status}`;
}
