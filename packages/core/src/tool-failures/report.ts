/** Builds the kept report of a failed tool. Never the output itself: the deciding line, and its classification. */

import type { Advice, FailureHistory } from './advise.ts';
import type { FailureAction } from './action.ts';
import { failureSignature } from './classify.ts';
import type { Classification, FailureClass, ToolFailure, WorkPhase } from './failure.ts';
import { nameOf } from './last-resort.ts';
import { sumOf } from './names.ts';

/** A failed tool, as a machine reports it to a coordinator. Every string is fit to be shown: cut, and without plain secrets. */
export interface ToolFailureReport {
  /** Epoch milliseconds of the machine. */
  readonly at: number;
  /** Conversation of the agent. A new task begins a new one, so the conversation also tells tasks apart. */
  readonly conversation: string;
  readonly tool: string;
  /** Program that the tool ran, or the tool. */
  readonly name: string;
  /** Class of the failure; `findings` are those of a checker: a result that is work to do. */
  readonly class: FailureClass | 'findings';
  readonly rule: string;
  readonly phase: WorkPhase | null;
  /** Deciding line. */
  readonly evidence: string;
  /** Hash by which two failures are the same: the words of an error may hold a secret in a form that nothing recognizes. */
  readonly signature: string;
  /** Key by which two calls are the same call: see `operationOf`. */
  readonly operation: string;
  readonly action: FailureAction;
  readonly pauseAccount: Advice['pauseAccount'];
}

/** Facts of a report beside the failure and the advice. */
export interface ReportFacts {
  readonly at: number;
  readonly conversation: string;
  readonly operation: string;
}

/** Longest conversation name and tool name that a report keeps, in characters. */
const NAME_CHARS_MAX = 100;

/** Returns the report of a failure; null if nothing is wrong and nothing is to be done, as after a red test. */
export function reportOf(
  failure: ToolFailure,
  { classification, action, pauseAccount }: Advice,
  facts: ReportFacts,
): ToolFailureReport | null {
  if (action.kind === 'none') return null;
  const tool = failure.tool.slice(0, NAME_CHARS_MAX);
  return {
    at: facts.at,
    conversation: facts.conversation.slice(0, NAME_CHARS_MAX),
    tool,
    name: nameOf(failure).slice(0, NAME_CHARS_MAX),
    class: classification.kind === 'result' ? 'findings' : classification.class,
    rule: classification.rule,
    phase: classification.phase,
    evidence: classification.evidence,
    signature: signatureOf(failure.tool, classification),
    operation: facts.operation,
    action,
    pauseAccount,
  };
}

/**
 * Age, in milliseconds, beyond which a retry that was advised belongs to another outage. Hooks report failures only, so Drover hears of no
 * success between two of them. The age is the longest wait that is sat out (`statedWaitMsMax`).
 */
const RETRY_COUNTS_MS = 3_600_000;

/** Returns the history of a failure that has just happened, from the worker's reports. */
export function historyOf(
  reports: readonly ToolFailureReport[],
  now: {
    readonly at: number;
    readonly conversation: string;
    readonly operation: string;
    readonly class: string;
    readonly signature: string;
  },
): FailureHistory {
  const before = reports.filter(({ conversation }) => conversation === now.conversation);
  const retries = before.filter(
    (one) =>
      one.operation === now.operation &&
      one.class === now.class &&
      one.action.kind === 'retry' &&
      now.at - one.at < RETRY_COUNTS_MS,
  );
  return { retries: retries.length, sameInTask: before.filter(({ signature }) => signature === now.signature).length };
}

/**
 * Returns a short name of a call: the same tool with the same input has the same. Inputs may hold secrets, so only a sum of them is kept
 * (FNV-1a, 32 bits: two calls of one task that share a sum would share their retries, and no more).
 */
export function operationOf(tool: string, input: string): string {
  return `${tool.slice(0, NAME_CHARS_MAX)}:${sumOf(input).toString(16)}`;
}

/** Returns a short name of a failure, by which a task counts its repetitions. */
export function signatureOf(tool: string, found: Classification): string {
  return sumOf(failureSignature(tool, found)).toString(16);
}
