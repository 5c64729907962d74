/** The procedures of being on call. */
import { silenceInput, testOncallInput, unsilenceInput } from '../oncall.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `oncall`. */
export const oncallProcedures = {
  show: route('oncall.show').query(({ ctx }) => ctx.fleet.showOncall(known(ctx))),
  chats: route('oncall.chats').query(({ ctx }) => ctx.fleet.unservedChats()),
  silence: route('oncall.silence')
    .input(silenceInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.silence(input, known(ctx)))),
  unsilence: route('oncall.unsilence')
    .input(unsilenceInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.unsilence(input, known(ctx)))),
  test: route('oncall.test')
    .input(testOncallInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.testOncall(input, known(ctx)))),
};
