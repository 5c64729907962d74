/** The diagnostic bundle as it is stored with an escalation. */
import type { EscalationContext } from '@drover/api';
import type { EscalationRow } from '@drover/store';

/** Only coordinators write the bundle, so it is read unchecked. */
export function contextOf({ context }: Pick<EscalationRow, 'context'>): EscalationContext {
  return context as EscalationContext;
}
