/** The use cases of questions to people, bound to a context. */
import type { EscalationFleet } from '@drover/api';
import type { Context } from '../context.ts';
import { resolveEscalation } from './answer.ts';
import { ackEscalation, listEscalationPage, listEscalations, showEscalation } from './escalations.ts';

/** A part of the fleet's use cases. */
export function createEscalationFleet(ctx: Context): EscalationFleet {
  return {
    listEscalations: (input, by) => listEscalations(ctx, input, by),
    listEscalationPage: (page, by) => listEscalationPage(ctx, page, by),
    escalation: ({ id }, by) => showEscalation(ctx, id, by),
    ackEscalation: ({ id }, by) => ackEscalation(ctx, id, by),
    resolveEscalation: (input, by) => resolveEscalation(ctx, input, by),
  };
}
