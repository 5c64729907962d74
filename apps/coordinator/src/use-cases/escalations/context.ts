/** The diagnostic bundle as it is stored with an escalation. */
import type { EscalationContext } from '@drover/api';
import type { EscalationRow } from '@drover/store';

const NO_LINES = { gitStatus: [] } as const;

/** Only coordinators write the bundle, so it is read unchecked. One of an older build has no lines of git. */
export function contextOf({ context }: Pick<EscalationRow, 'context'>): EscalationContext {
  return { ...NO_LINES, ...(context as EscalationContext) };
}
