/** What a stored escalation says: its diagnostic bundle, and whether it is open. */
import type { EscalationContext } from '@drover/api';
import type { EscalationRow } from '@drover/store';

const NO_LINES = { gitStatus: [] } as const;

/** Only coordinators write the bundle, so it is read unchecked. */
export function contextOf({ context }: Pick<EscalationRow, 'context'>): EscalationContext {
  return { ...NO_LINES, ...(context as EscalationContext) };
}

/** Whether an answer is still waited for. */
export function isOpen({ status }: Pick<EscalationRow, 'status'>): boolean {
  return status === 'open' || status === 'acked';
}
