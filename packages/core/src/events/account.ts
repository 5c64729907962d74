/**
 * Applies a limit of the account to this worker. A paused account sends nothing, except the probe that finds out whether work may go on
 * (docs/recovery.md, limits shared by an account). The account decides who pauses and who probes (limits/account.ts).
 */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Reading } from '../machine/reading.ts';
import { isMerging } from '../merge/state.ts';
import { openAccount, pauseAccount, probeAccount } from '../worker/account.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { isLimit, isWaitingAtLimit, setTrouble } from '../worker/incident.ts';
import { isAlive, setConversation, setReplacement } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { inHand } from '../worker/task.ts';
import { showsEnd, mayShowForMs, setClock } from '../worker/turn.ts';
import type { Worker } from '../worker/worker.ts';
import { troubleOver } from './agent-error.ts';

/** Handles a change of the account: at a limit, to be probed, or open. */
export function accountChanged(step: Step, event: Extract<WorkerEvent, { kind: 'account-changed' }>): Step {
  const known = rule(step, `account:${event.state}`);
  const { account } = known.worker;
  switch (event.state) {
    case 'paused': {
      if (event.other !== undefined && isBetweenTasks(known.worker)) return changeAccount(known, event.other);
      const until = event.until ?? step.ctx.now + step.ctx.policy.limit.waitMaxMs;
      return set(known, { account: pauseAccount(account, until) });
    }
    case 'probe':
      return probe(known, event.until);
    case 'open':
      return goOn(endPause(known, openAccount(account)));
    default:
      return event.state satisfies never;
  }
}

/** Tells whether nothing of a task was given to the agent: in a turn it waits, because its conversation belongs to its account. */
function isBetweenTasks({ lifecycle, task, turn, mailbox, command, merge }: Worker): boolean {
  const { current } = mailbox;
  const isUntried =
    current === null ||
    (current.purpose === 'task' && current.verify === null && current.lost === 0 && current.partial === 0);
  const isFree = lifecycle.wanted === 'up' && !lifecycle.takenOver && turn.phase.kind === 'none' && !isMerging(merge);
  return isFree && isUntried && inHand(task)?.taken !== true && command.inFlight?.command.kind !== 'deliver';
}

/** Starts the agent under another account before its next task: the next start takes the login of that account. */
function changeAccount(step: Step, to: string): Step {
  const { session, account } = step.worker;
  const changed = set(rule(step, 'account:other'), {
    account: openAccount(account),
    session: setReplacement(setConversation(session, null), isAlive(session.pane)),
  });
  return record(changed, { kind: 'account-chosen', to });
}

/** Lets the worker try by itself, because the pause should have ended long ago and the account sent no word. */
export function pauseOver(step: Step): Step {
  const { account } = step.worker;
  return account.kind === 'paused' ? goOn(endPause(rule(step, 'account:no-word'), openAccount(account))) : step;
}

/** Probes the account. A worker that has nothing to ask its provider leaves the probe to another. */
function probe(step: Step, until: number | null): Step {
  const { lifecycle, mailbox, account } = step.worker;
  const { status, wanted } = lifecycle;
  // A worker that waits for a person, or is on its way down, sends nothing, even if it waited for a limit before.
  const waits = status === 'needs_input' || status === 'error';
  if (wanted === 'up' && (isBusy(status) || (mailbox.current !== null && !waits))) {
    // A repeated event lets the worker go on only once.
    return account.kind === 'probe' ? step : goOn(endPause(step, probeAccount(account, until)));
  }
  const paused = set(rule(step, 'account:nothing-to-ask'), { account: pauseAccount(account, until) });
  return record(paused, { kind: 'account', event: 'left', resetAt: null });
}

/** Asks a worker that waits at the limit to go on now, unless its program does so by itself. */
function goOn(step: Step): Step {
  const { incident } = step.worker;
  return isWaitingAtLimit(incident) && incident.trouble?.own !== true ? troubleOver(step) : step;
}

/** Ends the pause. A pause is no lack of progress; but a probe that hangs is, however often its account asks after it. */
function endPause(step: Step, account: Worker['account']): Step {
  const { turn } = step.worker;
  const wasPaused = step.worker.account.kind === 'paused';
  return set(step, { account, turn: wasPaused ? setClock(turn, step.ctx.now) : turn });
}

/** Records an answer of the account: work after a limit, or a turn that ended without an error. `before`: the worker before this screen. */
export function answerOfAccount(step: Step, before: Worker, reading: Reading): Step {
  const { account, incident } = step.worker;
  const { trouble } = incident;
  const wasLimited = trouble !== null && isLimit(trouble.error) && trouble.until === null;
  if (account.kind !== 'probe' && !(wasLimited && account.kind === 'open')) return step;
  const { mark } = before.turn.progress;
  const goesOn = reading.state.kind === 'processing' && mark !== null && mark !== reading.progress;
  const isSure = mayShowForMs(before.turn, reading.at, step.ctx.policy) === 0;
  const isDone = before.turn.phase.kind !== 'none' && showsEnd(reading, before.turn) && isSure;
  if (!goesOn && !isDone) return step;
  const told = record(rule(step, 'account:answered'), { kind: 'account', event: 'answered', resetAt: null });
  return set(told, {
    account: openAccount(account),
    incident: wasLimited ? setTrouble(incident, null) : incident,
  });
}
