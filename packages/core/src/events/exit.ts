/** Handles the end of a program by a person, a limit or a crash (docs/recovery.md, session crash). */
import { happen, note, record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { parseResetTime } from '../limits/reset-time.ts';
import { closeGoneDialog } from '../recovery/dialogs.ts';
import { beginAttempt, logFailure, notBefore, openIncident } from '../recovery/incident.ts';
import { giveUp, recover } from '../recovery/ladder.ts';
import { requeueTexts } from '../recovery/mail.ts';
import { mayRetry, pauseBefore } from '../recovery/plans.ts';
import { tellUnread, unreadTexts } from '../recovery/told.ts';
import { codeForExit, saysFatal } from '../taxonomy/agent-codes.ts';
import type { ExitFacts } from '../worker/event.ts';
import { stateOf } from '../worker/lifecycle.ts';
import { emptyMailbox, setRestoreDue } from '../worker/mailbox.ts';
import { isMerging } from '../merge/state.ts';
import { countCrashes, endProgram, isAlive, scheduleRestart, setConversation } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { inHand } from '../worker/task.ts';
import { setJudgeDue } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';

/** Reasons for a program that cannot even be started, in words for people. Another start would fail too. */
const CANNOT_START = {
  AGENT_CLI_NOT_FOUND: 'it, or a program that it needs, is not installed',
  PERMISSION_DENIED: 'Drover is not allowed to run it',
} as const;

/** Takes the end of a program, unless it is of another incarnation or its end is known already. */
export function paneExited(step: Step, exit: ExitFacts): Step {
  const { pane } = step.worker.session;
  if (!isAlive(pane) || pane.incarnation !== exit.incarnation) return rule(step, 'stale:incarnation');
  return judgeExit(closeGoneDialog(requeueTexts(step)), exit);
}

/**
 * Judges the end of a program and arms the next step: nothing by itself after a person's exit, a restart after a crash or a limit, `error`
 * when the budget of `policy.crash` is spent. The exit is of the present incarnation, so a repeated exit is counted once (R8).
 */
function judgeExit(step: Step, exit: ExitFacts): Step {
  const { worker } = step;
  const { lifecycle, session, mailbox } = worker;
  const isCutOff = isBusy(lifecycle.status) && inHand(worker.task)?.taken === true;
  const lost = happen(step, 'session-lost');
  const ended = set(lost, {
    session: endProgram(lost.worker.session, exit.incarnation, null),
    mailbox: setRestoreDue(lost.worker.mailbox, mailbox.restoreDue || isCutOff),
  });
  // The worker's work is being merged, after which the session is closed anyway.
  if (isMerging(worker.merge)) return rule(ended, 'exit:while-merging');
  // A program that never came up was not ended by its user, whatever its status says. A user who ended a program without its task did not end the
  // task.
  const cameUp = session.pane.kind === 'up' && lifecycle.status !== 'offline';
  const code = codeForExit({ cause: 'unknown', status: exit.status, signal: exit.signal });
  if (cameUp && mailbox.current?.purpose !== 'task' && code === null) return userExit(ended);
  if (session.pane.kind === 'starting' && (code === 'AGENT_CLI_NOT_FOUND' || code === 'PERMISSION_DENIED'))
    return notStarted(ended, exit, code);
  if (exit.limit !== null) return limitReached(ended, exit, exit.limit.resets);
  return countedCrash(ended, exit);
}

/** Ends the task after its user ended the agent: no agent runs until somebody starts a task; committed work is judged first. */
function userExit(step: Step): Step {
  const left = rule(step, 'exit:user');
  const { lifecycle, mailbox, turn } = left.worker;
  if (!isBusy(lifecycle.status) && lifecycle.status !== 'needs_input') return left;
  const why = 'a person ended its agent, perhaps before it had read';
  return set(tellUnread(left, unreadTexts(left.worker), why), {
    turn: setJudgeDue(turn, true),
    mailbox: emptyMailbox(mailbox),
  });
}

/** Waits for a limit until its stated reset. A limit is no crash; all workers of the account learn of it. */
function limitReached(step: Step, exit: ExitFacts, resets: string | null): Step {
  const { now, policy, zone, random } = step.ctx;
  const reset = parseResetTime(resets === null ? exit.lastLines.join('\n') : `resets ${resets}`, { now, zone });
  const resetAt = reset.kind === 'at' && reset.atMs > now ? reset.atMs : null;
  const spread = Math.round(policy.limit.spread * random * policy.limit.waitMs);
  const restartAt = resetAt === null ? now + policy.crash.limitWaitMs : resetAt + spread;
  const waiting = set(note(rule(step, 'exit:limit'), 'waits for a limit to reset'), {
    session: scheduleRestart(step.worker.session, restartAt),
  });
  const told = record(waiting, { kind: 'account', event: 'limit-hit', resetAt });
  const failure = {
    code: 'USAGE_LIMIT',
    why: 'its agent ended at a limit',
    details: exit.lastLines.join('\n'),
  } as const;
  const known = logFailure(openIncident(told, failure), failure, 'retry');
  const seconds = Math.round((restartAt - now) / 1_000);
  return beginAttempt(known, {
    action: `wait ${seconds} s, then start it again`,
    strategy: 'retry',
    at: restartAt,
    isWait: true,
  });
}

/** Asks a person to install the program, or to let it be run, and to say "retry". */
function notStarted(step: Step, exit: ExitFacts, code: keyof typeof CANNOT_START): Step {
  const details = exit.lastLines.join('\n');
  const why = `its program "${step.ctx.profile}" cannot be started: ${CANNOT_START[code]}`;
  return giveUp(step, { code, why, details, context: contextOf(exit) });
}

function countedCrash(step: Step, exit: ExitFacts): Step {
  const { worker, ctx } = step;
  const { countMax, forgetAfterMs } = ctx.policy.crash;
  const { crashes } = worker.session;
  // R2: a worker that asked a person starts nothing again, so nothing is spent.
  const isOver = stateOf(worker.lifecycle) === 'error';
  const count = (ctx.now - crashes.lastAt > forgetAfterMs ? 0 : crashes.count) + (isOver ? 0 : 1);
  const how = describeExit(exit);
  const about = { code: 'AGENT_CRASHED', details: exit.lastLines.join('\n'), context: contextOf(exit) } as const;
  const counted = set(step, { session: countCrashes(worker.session, { count, lastAt: ctx.now }) });
  const isFatal = saysFatal(about.details);
  if (isFatal || !(isOver || mayRetry('AGENT_CRASHED', { spent: count - 1, policy: ctx.policy }))) {
    const why = isFatal ? `its agent ended with a fatal error (${how})` : `its agent crashed ${count} times (${how})`;
    return giveUp(counted, { ...about, why });
  }
  const at = notBefore(counted, ctx.now + pauseBefore('AGENT_CRASHED', count, ctx));
  const failure = { ...about, why: `its agent crashed (${how})` } as const;
  const restarted = (known: Step): Step => set(known, { session: scheduleRestart(known.worker.session, at) });
  // The question is still open when the agent comes up again: the person is not asked a second time.
  if (isAskedForWords(worker)) return restarted(logFailure(rule(counted, 'exit:crash'), failure, 'restart'));
  const clean = count > 1 && mayStartClean(worker);
  return recover(counted, failure, {
    counts: 'caller',
    attempt: {
      action: `restart ${clean ? 'without its conversation ' : ''}in ${at - ctx.now} ms (${how})`,
      at,
      ...(clean && { alternative: { kind: 'respawn-clean' } }),
    },
    act: (known) => {
      const named = restarted(rule(known, clean ? 'exit:crash-again' : 'exit:crash'));
      const noted = note(named, `its agent crashed (${how}); restart ${count} of ${countMax - 1}`);
      return clean ? set(noted, { session: setConversation(noted.worker.session, null) }) : noted;
    },
  });
}

/**
 * Tells whether the agent may start with a clean conversation: it crashed before the last restart led anywhere, so the conversation may be the
 * cause. Tried once (R2).
 */
function mayStartClean({ incident, session: { conversation } }: Worker): boolean {
  const wasTried = incident.open?.tried.some(({ kind }) => kind === 'respawn-clean') === true;
  return incident.open?.code === 'AGENT_CRASHED' && conversation?.used === true && !wasTried;
}

/** Tells whether a person was asked something that no dialog of the ended program asks. */
function isAskedForWords({ lifecycle, incident, dialog }: Worker): boolean {
  return lifecycle.status === 'needs_input' && incident.open?.escalated === true && dialog.inHand === null;
}

function contextOf({ status, signal }: ExitFacts): { exitStatus?: number; signal?: number } {
  return { ...(status !== null && { exitStatus: status }), ...(signal !== null && { signal }) };
}

/** Describes the end in words; if a signal ended the program and its terminal shows a command that sends signals, with that command. */
function describeExit({ status, signal, lastLines }: ExitFacts): string {
  const isSignalled = signal !== null || status === null || (status > SIGNALLED_ABOVE && status < SIGNALLED_BELOW);
  if (!isSignalled) return `status ${status}`;
  const how = signal !== null ? `signal ${signal}` : status === null ? 'status not known' : `status ${status}`;
  const command = lastLines.flatMap((line) => KILLS.exec(line)?.[0].trimEnd() ?? []).at(-1);
  return command === undefined ? how : `${how}; its terminal shows "${command.slice(0, COMMAND_CHARS_MAX)}"`;
}

/** Bounds of the status that a shell gives a program that a signal ended: 128 and the number of the signal. */
const [SIGNALLED_ABOVE, SIGNALLED_BELOW] = [128, 160];

/** Commands by which an agent ends itself, such as "pkill -f node". */
const KILLS =
  /\b(?:(?:pkill|killall)\s+\S|kill\s+(?:-\w|%?\d)|fuser\s+-\w*k|tmux\s+kill-\w+)(?:"[^"]*"|'[^']*'|[^"'`|)\]])*/u;
const COMMAND_CHARS_MAX = 80;
