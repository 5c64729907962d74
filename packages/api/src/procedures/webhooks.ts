/** The procedures of webhooks. */
import {
  addWebhookInput,
  deliveriesInput,
  editWebhookInput,
  replayWebhookInput,
  webhookInput,
} from '../public/webhooks.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `webhooks`. */
export const webhookProcedures = {
  list: route('webhooks.list').query(({ ctx }) => ctx.fleet.listWebhooks(known(ctx))),
  add: route('webhooks.add')
    .input(addWebhookInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.addWebhook(input, known(ctx)))),
  edit: route('webhooks.edit')
    .input(editWebhookInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.editWebhook(input, known(ctx)))),
  remove: route('webhooks.remove')
    .input(webhookInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeWebhook(input, known(ctx)))),
  rotate: route('webhooks.rotate')
    .input(webhookInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.rotateWebhook(input, known(ctx)))),
  test: route('webhooks.test')
    .input(webhookInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.testWebhook(input, known(ctx)))),
  deliveries: route('webhooks.deliveries')
    .input(deliveriesInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.webhookDeliveries(input, known(ctx)))),
  replay: route('webhooks.replay')
    .input(replayWebhookInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.replayWebhook(input, known(ctx)))),
};
