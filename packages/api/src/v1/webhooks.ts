/** Webhooks in the public API. */
import { z } from 'zod';
import {
  addWebhookInput,
  deliveryView,
  editWebhookInput,
  replayWebhookInput,
  webhookInput,
  webhookSecretView,
  webhookView,
} from '../public/webhooks.ts';
import { changesOf, defineV1, listOf, ok, page, pageOf } from './route.ts';

const name = z.strictObject(webhookInput.shape);
const view = webhookView.meta({ id: 'WebhookEndpoint' });
const withSecret = z.object({ ...webhookSecretView.shape, webhook: view });
const delivery = deliveryView.meta({ id: 'WebhookDelivery' });

/** Under `/v1/webhook-endpoints`. */
export const webhookRoutes = {
  'GET /v1/webhook-endpoints': defineV1({
    access: 'webhooks.list',
    summary: 'Lists the webhooks.',
    query: z.strictObject(page),
    answer: listOf(view),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: { limit, after } }) =>
      pageOf(await fleet.listWebhooks(actor), { limit, after, key: ({ id }) => id }),
  }),
  'POST /v1/webhook-endpoints': defineV1({
    access: 'webhooks.add',
    summary: 'Adds a webhook. Its secret is shown this once.',
    body: z.strictObject(addWebhookInput.shape),
    answer: withSecret,
    problems: ['not-found'],
    isSecret: true,
    conflicts: ['name-taken', 'too-many'],
    handle: ({ fleet, actor, body }) => fleet.addWebhook(body, actor),
  }),
  'PATCH /v1/webhook-endpoints/{name}': defineV1({
    access: 'webhooks.edit',
    summary: 'Changes where a webhook is told what, or switches it off or on. Its secret stays.',
    params: name,
    body: changesOf(editWebhookInput.omit({ name: true })),
    answer: view,
    problems: ['not-found'],
    handle: ({ fleet, actor, params, body }) => fleet.editWebhook({ ...params, ...body }, actor),
  }),
  'DELETE /v1/webhook-endpoints/{name}': defineV1({
    access: 'webhooks.remove',
    summary: 'Removes a webhook with everything that it was told.',
    params: name,
    answer: view,
    problems: ['not-found'],
    handle: ({ fleet, actor, params }) => fleet.removeWebhook(params, actor),
  }),
  'POST /v1/webhook-endpoints/{name}/rotate-secret': defineV1({
    access: 'webhooks.rotate',
    summary: 'Makes a new secret. The one of before signs too for a day.',
    params: name,
    answer: withSecret,
    problems: ['not-found'],
    isSecret: true,
    handle: ({ fleet, actor, params }) => fleet.rotateWebhook(params, actor),
  }),
  'POST /v1/webhook-endpoints/{name}/test': defineV1({
    access: 'webhooks.test',
    summary: 'Sends an event of the type webhook.test.',
    params: name,
    answer: delivery,
    problems: ['not-found'],
    conflicts: ['disabled'],
    handle: ({ fleet, actor, params, requestId }) => fleet.testWebhook({ ...params, orderId: requestId }, actor),
  }),
  'GET /v1/webhook-endpoints/{name}/deliveries': defineV1({
    access: 'webhooks.deliveries',
    summary: 'Lists what a webhook was told, newest first, with how each attempt ended.',
    params: name,
    query: z.strictObject({ limit: page.limit }),
    answer: z.object({ items: z.array(delivery) }),
    problems: ['not-found'],
    handle: async ({ fleet, actor, params, query: { limit } }) => {
      const outcome = await fleet.webhookDeliveries({ name: params.name, limit }, actor);
      return outcome.kind === 'ok' ? ok({ items: outcome.value }) : outcome;
    },
  }),
  'POST /v1/webhook-endpoints/{name}/deliveries/{delivery}/replay': defineV1({
    access: 'webhooks.replay',
    summary: 'Tells it again, with the same id.',
    params: z.strictObject(replayWebhookInput.shape),
    answer: delivery,
    problems: ['not-found'],
    conflicts: ['disabled'],
    handle: ({ fleet, actor, params }) => fleet.replayWebhook(params, actor),
  }),
};
