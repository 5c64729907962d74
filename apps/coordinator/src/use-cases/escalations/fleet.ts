/** Binds the use cases of questions to people to a context. */
import type { EscalationFleet } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { resolveEscalation } from '../../loop/escalations/answer.ts';
import { listEscalationPage, listEscalations, showEscalation } from './escalations.ts';
import { respond } from './respond.ts';

export function createEscalationFleet(ctx: Context): EscalationFleet {
  return {
    listEscalations: (input, by) => listEscalations(ctx, input, by),
    listEscalationPage: (page, by) => listEscalationPage(ctx, page, by),
    escalation: ({ id }, by) => showEscalation(ctx, id, by),
    ackEscalation: ({ id, requestId }, by) => respond(ctx, { id, requestId, said: { kind: 'ack' } }, by),
    snoozeEscalation: ({ id, requestId, forMs }, by) =>
      respond(ctx, { id, requestId, said: { kind: 'snooze', forMs } }, by),
    escalateEscalation: ({ id, requestId }, by) => respond(ctx, { id, requestId, said: { kind: 'escalate' } }, by),
    commentEscalation: ({ id, requestId, text }, by) =>
      respond(ctx, { id, requestId, said: { kind: 'comment', text } }, by),
    resolveEscalation: (input, by) => resolveEscalation(ctx, input, by),
  };
}
