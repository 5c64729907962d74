/** The use cases of questions to people, bound to a context. */
import type { EscalationFleet } from '@drover/api';
import type { Context } from '../context.ts';
import { resolveEscalation } from './answer.ts';
import { listEscalationPage, listEscalations, showEscalation } from './escalations.ts';
import { respond } from './respond.ts';

/** A part of the fleet's use cases. */
export function createEscalationFleet(ctx: Context): EscalationFleet {
  return {
    listEscalations: (input, by) => listEscalations(ctx, input, by),
    listEscalationPage: (page, by) => listEscalationPage(ctx, page, by),
    escalation: ({ id }, by) => showEscalation(ctx, id, by),
    ackEscalation: ({ id, orderId }, by) => respond(ctx, { id, orderId, said: { kind: 'ack' } }, by),
    snoozeEscalation: ({ id, orderId, forMs }, by) =>
      respond(ctx, { id, orderId, said: { kind: 'snooze', forMs } }, by),
    escalateEscalation: ({ id, orderId }, by) => respond(ctx, { id, orderId, said: { kind: 'escalate' } }, by),
    commentEscalation: ({ id, orderId, text }, by) =>
      respond(ctx, { id, orderId, said: { kind: 'comment', text } }, by),
    resolveEscalation: (input, by) => resolveEscalation(ctx, input, by),
  };
}
