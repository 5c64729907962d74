/** The procedures of tasks. */
import {
  acceptInput,
  acceptTogetherInput,
  awaitAcceptInput,
  cancelInput,
  rebaseInput,
  rejectInput,
  reviewInput,
  startInput,
} from '../tasks.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `workers`, beside those of workers. */
export const taskProcedures = {
  start: route('workers.start')
    .input(startInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.start(input, known(ctx)))),
  review: route('workers.review')
    .input(reviewInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.review(input, known(ctx)))),
  reject: route('workers.reject')
    .input(rejectInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.reject(input, known(ctx)))),
  accept: route('workers.accept')
    .input(acceptInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.accept(input, known(ctx)))),
  acceptTogether: route('workers.acceptTogether')
    .input(acceptTogetherInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.acceptTogether(input, known(ctx)))),
  awaitAccept: route('workers.awaitAccept')
    .input(awaitAcceptInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.awaitAccept(input, known(ctx), ctx.signal))),
  cancel: route('workers.cancel')
    .input(cancelInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.cancel(input, known(ctx)))),
  rebase: route('workers.rebase')
    .input(rebaseInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.rebase(input, known(ctx)))),
};
