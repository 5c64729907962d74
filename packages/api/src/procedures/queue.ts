/** The procedures of the work queue. */
import { queueAddInput, queueItemInput, queueListInput } from '../queue.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `queue`. */
export const queueProcedures = {
  list: route('queue.list')
    .input(queueListInput)
    .query(({ ctx, input }) => ctx.fleet.listQueue(input, known(ctx))),
  show: route('queue.show')
    .input(queueItemInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.queueItem(input, known(ctx)))),
  add: route('queue.add')
    .input(queueAddInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.addToQueue(input, known(ctx)))),
  drop: route('queue.drop')
    .input(queueItemInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.dropQueueItem(input, known(ctx)))),
  retry: route('queue.retry')
    .input(queueItemInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.retryQueueItem(input, known(ctx)))),
};
