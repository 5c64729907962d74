/** The program of a pane ended: was it a person, a limit or a crash, and what follows? (docs/recovery.md, session crash) */
import { parseResetTime } from '../limits/reset-time.ts';
import { mayRetry } from '../retry/budgets.ts';
import { codeForExit, saysFatal } from '../taxonomy/agent-codes.ts';
import type { ExitFacts } from '../worker/event.ts';
import { isBusy } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';
import { record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { dialogGone } from './dialogs.ts';
import { attempted, logged, notBefore, opened } from './incident.ts';
import { givenUp, recover } from './recover.ts';
import { unreadTexts, wordsDropped } from './words.ts';

/** A program that cannot even be started, in words for people. Started again it could not be either. */
const CANNOT_START = {
  AGENT_CLI_NOT_FOUND: 'it, or what runs it, is not installed',
  PERMISSION_DENIED: 'it may not be run',
} as const;

/**
 * Judges how a program ended and arms what follows: nothing by itself after a person's exit, a restart after a crash or
 * a limit, `error` when the budget of `policy.crash` is spent. The caller has checked that the exit is of the present
 * incarnation, so an exit told twice is counted once (R8).
 */
export function crashed(before: Step, exit: ExitFacts): Step {
  const step = dialogGone(before);
  const { worker } = step;
  const cutOff = isBusy(worker.status) && worker.task !== null && worker.task.taken;
  const ended = set(step, {
    seen: null,
    turnSince: null,
    judgeDue: false,
    doubt: null,
    restoreDue: worker.restoreDue || cutOff,
  });
  // Its work is being merged, after which the session is closed anyway.
  if (worker.accept !== null && worker.accept.step !== 'waiting') {
    return set(rule(ended, 'exit:while-merging'), {
      pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null },
    });
  }
  // A program that never came up was not ended by its user, whatever its status says. And whoever ended one that had not
  // been given its task yet did not end the task.
  const cameUp = worker.pane.kind === 'up' && worker.status !== 'offline';
  const code = codeForExit({ cause: 'unknown', status: exit.status, signal: exit.signal });
  if (cameUp && worker.outgoing?.purpose !== 'task' && code === null) return userExit(ended, exit);
  if (worker.pane.kind === 'starting' && (code === 'AGENT_CLI_NOT_FOUND' || code === 'PERMISSION_DENIED'))
    return notStarted(ended, exit, code);
  if (exit.limit !== null) return limitReached(ended, exit, exit.limit.resets);
  return countedCrash(ended, exit);
}

/** The seat stays empty until somebody starts a task; what was committed is judged first. */
function userExit(step: Step, exit: ExitFacts): Step {
  const { status } = step.worker;
  const left = set(rule(step, 'exit:user'), { pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null } });
  if (!isBusy(status) && status !== 'needs_input') return left;
  const told = wordsDropped(
    left,
    unreadTexts(left.worker),
    'its agent was ended by a person, perhaps before it had read',
  );
  return set(told, { judgeDue: true, restoreDue: false, outgoing: null, backlog: [], queued: [] });
}

/** A limit is waited for until its stated reset, and is no crash; all workers of the account learn of it. */
function limitReached(step: Step, exit: ExitFacts, resets: string | null): Step {
  const { now, policy, zone, random } = step.ctx;
  const reset = parseResetTime(resets === null ? exit.lastLines.join('\n') : `resets ${resets}`, { now, zone });
  const resetAt = reset.kind === 'at' && reset.atMs > now ? reset.atMs : null;
  const spread = Math.round(policy.limit.spread * random * policy.limit.waitMs);
  const restartAt = resetAt === null ? now + policy.crash.limitWaitMs : resetAt + spread;
  const waiting = set(rule(step, 'exit:limit'), {
    pane: { kind: 'dead', incarnation: exit.incarnation, restartAt },
    note: 'waits for a limit to reset',
  });
  const told = record(waiting, { kind: 'account', event: 'limit-hit', resetAt });
  const failure = {
    code: 'USAGE_LIMIT',
    why: 'its program ended at a limit',
    details: exit.lastLines.join('\n'),
  } as const;
  const known = logged(opened(told, failure), failure, 'retry');
  const seconds = Math.round((restartAt - now) / 1_000);
  return attempted(known, {
    action: `wait ${seconds} s, then start it again`,
    strategy: 'retry',
    at: restartAt,
    isWait: true,
  });
}

/** A person installs it, or lets it be run, and says "retry". */
function notStarted(step: Step, exit: ExitFacts, code: keyof typeof CANNOT_START): Step {
  const dead = set(step, { pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null } });
  const details = exit.lastLines.join('\n');
  const why = `its program "${step.ctx.profile}" cannot be started: ${CANNOT_START[code]}`;
  return givenUp(dead, { code, why, details, context: contextOf(exit) });
}

function countedCrash(step: Step, exit: ExitFacts): Step {
  const { worker, ctx } = step;
  const { countMax, forgetAfterMs, restartAfterMs } = ctx.policy.crash;
  const forgotten = ctx.now - worker.crashes.lastAt > forgetAfterMs;
  // R2: where a person was asked nothing is started again, so nothing is spent.
  const isOver = (worker.status === 'offline' ? worker.before : worker.status) === 'error';
  const count = (forgotten ? 0 : worker.crashes.count) + (isOver ? 0 : 1);
  const how = describeExit(exit);
  const fatal = saysFatal(exit.lastLines.join('\n'));
  const dead = set(step, {
    crashes: { count, lastAt: ctx.now },
    pane: { kind: 'dead', incarnation: exit.incarnation, restartAt: null },
  });
  const details = exit.lastLines.join('\n');
  if (fatal || !(isOver || mayRetry('AGENT_CRASHED', { spent: count - 1, policy: ctx.policy }))) {
    const why = fatal ? `its agent ended with a fatal error (${how})` : `its agent crashed ${count} times (${how})`;
    return givenUp(dead, { code: 'AGENT_CRASHED', why, details, context: contextOf(exit) });
  }
  const at = notBefore(dead, ctx.now + restartAfterMs);
  const clean = count > 1 && mayStartClean(worker);
  const failure = {
    code: 'AGENT_CRASHED',
    why: `its agent crashed (${how})`,
    details,
    context: contextOf(exit),
  } as const;
  const waiting = { kind: 'dead', incarnation: exit.incarnation, restartAt: at } as const;
  // The question stands, whoever comes up again: the person is not asked a second time.
  if (isAskedForWords(worker)) return set(logged(rule(dead, 'exit:crash'), failure, 'restart'), { pane: waiting });
  return recover(dead, failure, {
    plan: 'own',
    attempt: {
      action: `restart ${clean ? 'without its conversation ' : ''}in ${at - ctx.now} ms (${how})`,
      at,
      ...(clean && { alternative: { kind: 'respawn-clean' } }),
    },
    act: (known) => {
      const named = clean ? rule(known, 'exit:crash-again') : rule(known, 'exit:crash');
      return set(named, {
        pane: waiting,
        conversation: clean ? null : worker.conversation,
        note: `its agent crashed (${how}); restart ${count} of ${countMax - 1}`,
      });
    },
  });
}

/** It crashed before the last restart came to anything: its conversation may be what it crashes of. Tried once (R2). */
function mayStartClean({ incident, conversation }: Worker): boolean {
  const wasTried = incident?.tried.some(({ kind }) => kind === 'respawn-clean') === true;
  return incident?.code === 'AGENT_CRASHED' && conversation?.used === true && !wasTried;
}

/** Whether a person was asked what no dialog of the program that ended stands for. */
function isAskedForWords({ status, incident, dialog }: Worker): boolean {
  return status === 'needs_input' && incident?.escalated === true && dialog === null;
}

function contextOf({ status, signal }: ExitFacts): { exitStatus?: number; signal?: number } {
  return { ...(status !== null && { exitStatus: status }), ...(signal !== null && { signal }) };
}

function describeExit({ status, signal }: ExitFacts): string {
  if (signal !== null) return `signal ${signal}`;
  return status === null ? 'status not known' : `status ${status}`;
}
