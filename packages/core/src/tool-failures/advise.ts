/** Chooses the action after a failed tool, and the advice to the agent. */

import { parseResetTime } from '../limits/reset-time.ts';
import type { Zone } from '../limits/calendar.ts';
import { backoffDelay } from '../policy/retry.ts';
import { adviceText } from './advice-text.ts';
import { classifyToolFailure } from './classify.ts';
import type { FailureAction } from './action.ts';
import { serviceHost } from './facts.ts';
import type { Classification, ToolFailure } from './failure.ts';
import { afterResult, afterRetries, type Failed, gateWithoutTool, repeated } from './last-resort.ts';
import { type ClassPolicy, DEFAULT_TOOL_FAILURE_POLICY, type ToolFailurePolicy } from '../policy/tool-failures.ts';

/** Earlier failures of this task. The caller counts; see `failureSignature`. */
export interface FailureHistory {
  /** Number of retries of this very operation that have been advised already. */
  readonly retries: number;
  /** Number of failures with the same signature in this task before this one. */
  readonly sameInTask: number;
}

/** Complete answer to a failed tool. */
export interface Advice {
  readonly classification: Classification;
  readonly action: FailureAction;
  /** Service whose account is to be paused for all use, and the end of the pause. A null service is one that the output did not name. */
  readonly pauseAccount: { readonly service: string | null; readonly until: number } | null;
  /** Text for the agent through its hook, some lines. */
  readonly adviceText: string;
}

/** Inputs of advice besides the failure. */
export interface AdviceInputs {
  readonly history: FailureHistory;
  readonly now: number;
  /** In [0, 1). */
  readonly random: number;
  /** The machine's zone, for limits that state a time of day. */
  readonly zone: Zone;
  readonly policy?: ToolFailurePolicy;
  /** Result of `classifyToolFailure`, if the caller has it already: the rules are the slow part. */
  readonly classification?: Classification;
}

/** Classifies a failed tool and chooses the action. Total and deterministic. */
export function adviseOnToolFailure(failure: ToolFailure, inputs: AdviceInputs): Advice {
  const { classification = classifyToolFailure(failure) } = inputs;
  const action = actionFor(failure, classification, inputs);
  const pauseAccount = pauseFor(failure, { classification, action, inputs });
  return { classification, action, pauseAccount, adviceText: adviceText(failure, classification, action) };
}

function actionFor(failure: ToolFailure, found: Classification, inputs: AdviceInputs): FailureAction {
  const row = rowOf(found, inputs);
  if (found.kind === 'result' || row === null) return afterResult(failure, found);
  if (found.rule === 'missing-program' && found.phase === 'quality') return gateWithoutTool(failure, found.evidence);
  const { retries, sameInTask } = inputs.history;
  if (row.sameToEscalate > 0 && sameInTask + 1 >= row.sameToEscalate)
    return repeated(failure, found.evidence, sameInTask + 1);
  return retries < row.retriesMax ? retry(failure, { found, row, inputs }) : afterRetries(failure, { found, row });
}

interface RetryFacts {
  readonly found: Failed;
  readonly row: ClassPolicy;
  readonly inputs: AdviceInputs;
}

function retry(failure: ToolFailure, { found, row, inputs }: RetryFacts): FailureAction {
  const { history, now, random } = inputs;
  const attempt = Math.max(0, history.retries) + 1;
  const backoffMs = backoffDelay(row.backoff, attempt, random);
  const statedMs = found.class === 'rate_limit' ? statedWait(failure, inputs) : null;
  if (statedMs !== null && statedMs > row.statedWaitMsMax) return afterRetries(failure, { found, row });
  // Drover believes a service that states a time, even beyond the cap: asking sooner can only fail.
  const delayMs = statedMs ?? backoffMs;
  const timeoutFactor = row.timeoutFactors[attempt - 1] ?? row.timeoutFactors.at(-1) ?? 1;
  return { kind: 'retry', attempt, attemptsMax: row.retriesMax, delayMs, notBefore: now + delayMs, timeoutFactor };
}

/** Returns the wait that the service asks for, in milliseconds, with up to a fifth more so that workers do not return together. */
function statedWait({ text }: ToolFailure, { now, random, zone }: AdviceInputs): number | null {
  const reset = parseResetTime(text, { now, zone });
  if (reset.kind === 'unknown' || reset.atMs <= now) return null;
  const waitMs = reset.atMs - now;
  return waitMs + Math.floor(Math.min(waitMs * 0.2, 60_000) * random);
}

interface PauseFacts {
  readonly classification: Classification;
  readonly action: FailureAction;
  readonly inputs: AdviceInputs;
}

function pauseFor(failure: ToolFailure, { classification, action, inputs }: PauseFacts): Advice['pauseAccount'] {
  const row = rowOf(classification, inputs);
  if (row === null || row.pauseAccountFrom === 0) return null;
  const attempt = inputs.history.retries + 1;
  if (attempt < row.pauseAccountFrom && action.kind === 'retry') return null;
  const until =
    action.kind === 'retry'
      ? action.notBefore
      : inputs.now + (statedWait(failure, inputs) ?? backoffDelay(row.backoff, attempt, inputs.random));
  return { service: serviceHost(failure.text, failure.command), until };
}

function rowOf(found: Classification, { policy = DEFAULT_TOOL_FAILURE_POLICY }: AdviceInputs): ClassPolicy | null {
  return found.kind === 'result' ? null : policy[found.class];
}
