/** The use cases of errors, escalations and accounts, bound to a context. */
import type { RecoveryFleet } from '@drover/api';
import { listAccounts } from './accounts/accounts.ts';
import type { Context } from './context.ts';
import { listErrors } from './incidents/errors.ts';
import { ackEscalation, listEscalations, resolveEscalation, showEscalation } from './escalations/escalations.ts';
import { report } from './incidents/report.ts';

/** A part of the fleet's use cases. */
export function createRecoveryFleet(ctx: Context): RecoveryFleet {
  return {
    listErrors: (input, by) => listErrors(ctx, input, by),
    report: (input, by) => report(ctx, input, by),
    listEscalations: (input, by) => listEscalations(ctx, input, by),
    escalation: ({ id }, by) => showEscalation(ctx, id, by),
    ackEscalation: ({ id }, by) => ackEscalation(ctx, id, by),
    resolveEscalation: (input, by) => resolveEscalation(ctx, input, by),
    listAccounts: (by) => listAccounts(ctx, by),
  };
}
