/** The procedures of questions to people. */
import {
  ackInput,
  commentInput,
  escalateInput,
  escalationInput,
  escalationsInput,
  resolveInput,
  snoozeInput,
} from '../escalations.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `escalations`. */
export const escalationProcedures = {
  list: route('escalations.list')
    .input(escalationsInput)
    .query(({ ctx, input }) => ctx.fleet.listEscalations(input, known(ctx))),
  show: route('escalations.show')
    .input(escalationInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.escalation(input, known(ctx)))),
  ack: route('escalations.ack')
    .input(ackInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.ackEscalation(input, known(ctx)))),
  snooze: route('escalations.snooze')
    .input(snoozeInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.snoozeEscalation(input, known(ctx)))),
  escalate: route('escalations.escalate')
    .input(escalateInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.escalateEscalation(input, known(ctx)))),
  comment: route('escalations.comment')
    .input(commentInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.commentEscalation(input, known(ctx)))),
  resolve: route('escalations.resolve')
    .input(resolveInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.resolveEscalation(input, known(ctx)))),
};
