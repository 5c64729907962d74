/** How often is the same tried again against a failure, before something else is? Every number is the policy's. */
import { NUDGES } from '../decide/texts.ts';
import type { Policy } from '../policy/policy.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';

type Count = (policy: Policy) => number;

const nudges: Count = () => NUDGES.length;
const waits: Count = ({ limit }) => limit.attemptsMax;

/** Failures that are counted by a number of their own, or each by itself. */
const OWN: Readonly<Partial<Record<ErrorCode, Count>>> = {
  AGENT_SPAWN_FAILED: ({ startUp }) => startUp.attemptsMax - 1,
  AGENT_CRASHED: ({ crash }) => crash.countMax - 1,
  AGENT_STUCK: nudges,
  AGENT_TIMEOUT: nudges,
  INPUT_LOST: ({ lostInput }) => lostInput.length,
  INPUT_PARTIAL: ({ partial }) => partial.attemptsMax,
  RATE_LIMITED: waits,
  USAGE_LIMIT: waits,
  REBASE_CONFLICT: ({ rework }) => rework.sameConflictsMax - 1,
  REBASE_STUCK: () => 1,
};

/** Attempts of the same against this failure: of level 1 in one incident, unless the failure has a plan of its own. */
export function budgetOf(code: ErrorCode, policy: Policy): number {
  return OWN[code]?.(policy) ?? policy.incident.maxAttemptsPerError;
}

/** Whether the budget allows one more attempt after `spent` of them. */
export function mayRetry(code: ErrorCode, { spent, policy }: { spent: number; policy: Policy }): boolean {
  return spent < budgetOf(code, policy);
}
