/**
 * What does a limit of the account mean for this worker? Nothing is sent while the account is paused; the probe goes on,
 * so that all learn whether they may (docs/recovery.md, limits shared by an account). Who pauses and who probes is
 * decided for the account (limits/account.ts).
 */
import type { AgentErrorKind } from '../agent-state.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Look } from '../worker/op.ts';
import { isBusy } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';
import { troubleOver } from './agent-errors.ts';
import { record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { looksOver, mayShowForMs } from './turn.ts';

const LIMITS: ReadonlySet<AgentErrorKind> = new Set(['rate-limit', 'usage-limit']);

/** Whether nothing may be sent to this worker's agent. */
export function isPaused({ account }: Worker): boolean {
  return account?.state === 'paused';
}

/** Whether an error of an agent is a limit of its account. */
export function isLimit(error: AgentErrorKind): boolean {
  return LIMITS.has(error);
}

/** The account of this worker's agent is at a limit, is to be probed, or is open. */
export function accountChanged(step: Step, event: Extract<WorkerEvent, { kind: 'account-changed' }>): Step {
  const { waitMaxMs } = step.ctx.policy.limit;
  const known = rule(step, `account:${event.state}`);
  switch (event.state) {
    case 'paused':
      return set(known, { account: { state: 'paused', until: event.until ?? step.ctx.now + waitMaxMs } });
    case 'probe':
      return probe(known, event.until);
    case 'open':
      return goOn(resumed(known, null));
    default:
      return event.state satisfies never;
  }
}

/** The pause should have ended long ago, and no word has come: the worker asks for itself. */
export function pauseOver(step: Step): Step {
  return isPaused(step.worker) ? goOn(resumed(rule(step, 'account:no-word'), null)) : step;
}

/** When a worker that has heard nothing asks for itself, epoch milliseconds; null when it is not paused. */
export function pauseEndsAt({ account }: Worker, { waitMs }: { readonly waitMs: number }): number | null {
  return account?.state === 'paused' && account.until !== null ? account.until + waitMs : null;
}

/** Whoever has nothing to ask its provider cannot find out: another one shall. */
function probe(step: Step, until: number | null): Step {
  const { status, outgoing, wanted } = step.worker;
  // Whoever waits for a person, or is on its way down, sends nothing, whatever it waited for before.
  const waits = status === 'needs_input' || status === 'error';
  if (wanted === 'up' && (isBusy(status) || (outgoing !== null && !waits))) {
    // Told twice, it goes on once.
    return step.worker.account?.state === 'probe' ? step : goOn(resumed(step, { state: 'probe', until }));
  }
  const paused = set(rule(step, 'account:nothing-to-ask'), {
    account: { state: 'paused', until },
  });
  return record(paused, { kind: 'account', event: 'left', resetAt: null });
}

/** A worker that waits at the limit is asked to go on now. */
function goOn(step: Step): Step {
  const { trouble } = step.worker;
  return trouble?.until != null && isLimit(trouble.error) ? troubleOver(step) : step;
}

/** A pause is no lack of progress; but a probe that hangs is, however often its account asks after it. */
function resumed(step: Step, account: Worker['account']): Step {
  const { progress } = step.worker;
  const fresh = isPaused(step.worker) ? { progress: { ...progress, at: step.ctx.now } } : {};
  return set(step, { account, ...fresh });
}

/** Work after a limit, or a turn that ended without an error: the account answers. */
export function accountAnswers(step: Step, before: Worker, look: Look): Step {
  const { account, trouble } = step.worker;
  const wasLimited = trouble !== null && isLimit(trouble.error) && trouble.until === null;
  if (account?.state !== 'probe' && !(wasLimited && account === null)) return step;
  const { mark } = before.progress;
  const goesOn = look.state.kind === 'processing' && mark !== null && mark !== look.progress;
  const isSure = mayShowForMs(before, look.at, step.ctx.policy) === 0;
  const isDone = before.turnSince !== null && looksOver(look, before) && isSure;
  if (!goesOn && !isDone) return step;
  const told = record(rule(step, 'account:answered'), { kind: 'account', event: 'answered', resetAt: null });
  return set(told, { account: null, trouble: wasLimited ? null : trouble });
}
