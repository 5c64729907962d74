/** Limits of an account, as a worker knows of them. */
import type { AgentErrorKind } from '../agent-state.ts';
import type { Incidents } from './incident.ts';

const LIMITS: ReadonlySet<AgentErrorKind> = new Set(['rate-limit', 'usage-limit']);

/** Whether an error of an agent is a limit of its account. */
export function isLimit(error: AgentErrorKind): boolean {
  return LIMITS.has(error);
}

/** Whether the worker waits for a limit to reset. */
export function isWaitingAtLimit({ trouble }: Incidents): boolean {
  return trouble?.until != null && isLimit(trouble.error);
}
