/** Reads a stored escalation: its diagnostic bundle, and whether it is open. */
import type { EscalationContext } from '@drover/api';
import type { EscalationRow } from '@drover/store';

const NO_LINES = { gitStatus: [] } as const;

/** Reads the bundle unchecked, because only coordinators write it. */
export function contextOf({ context }: Pick<EscalationRow, 'context'>): EscalationContext {
  return { ...NO_LINES, ...(context as EscalationContext) };
}

/** Tells whether the escalation still needs an answer. */
export function isOpen({ status }: Pick<EscalationRow, 'status'>): boolean {
  return status === 'open' || status === 'acked';
}
