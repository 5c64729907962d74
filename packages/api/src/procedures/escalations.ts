/** The procedures of questions to people. */
import { escalationInput, escalationsInput, resolveInput } from '../escalations.ts';
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
    .input(escalationInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.ackEscalation(input, known(ctx)))),
  resolve: route('escalations.resolve')
    .input(resolveInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.resolveEscalation(input, known(ctx)))),
};
