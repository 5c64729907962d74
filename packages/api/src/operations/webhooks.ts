/** Operations on webhooks. */
import {
  addWebhookInput,
  deliveriesInput,
  deliveryView,
  editWebhookInput,
  replayWebhookInput,
  webhookInput,
  webhookSecretView,
  webhookView,
} from '../public/webhooks.ts';
import { changesOf, defineV1, listOf, page, pageOf } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

const name = z.strictObject(webhookInput.shape);
const view = webhookView.meta({ id: 'WebhookEndpoint' });
const withSecret = z.object({ ...webhookSecretView.shape, webhook: view });
const delivery = deliveryView.meta({ id: 'WebhookDelivery' });

export const webhookOperations = {
  // An address may hold a secret of its receiver.
  'webhooks.list': query('admin', 'fleet', {
    handle: async ({ fleet, actor }) => ok(await fleet.listWebhooks(actor)),
    v1: {
      'GET /v1/webhook-endpoints': defineV1({
        summary: 'Lists the webhooks.',
        query: z.strictObject(page),
        answer: listOf(view),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { limit, after } }) =>
          pageOf(await fleet.listWebhooks(actor), { limit, after, key: ({ id }) => id }),
      }),
    },
  }),
  'webhooks.add': mutation('admin', 'fleet', {
    isSecret: true,
    input: addWebhookInput,
    handle: ({ fleet, actor, input }) => fleet.addWebhook(input, actor),
    v1: {
      'POST /v1/webhook-endpoints': defineV1({
        summary: 'Adds a webhook. Its secret is shown only once.',
        body: z.strictObject(addWebhookInput.shape),
        answer: withSecret,
        problems: ['not-found'],
        conflicts: ['name-taken', 'too-many'],
      }),
    },
  }),
  'webhooks.edit': mutation('admin', 'fleet', {
    input: editWebhookInput,
    handle: ({ fleet, actor, input }) => fleet.editWebhook(input, actor),
    v1: {
      'PATCH /v1/webhook-endpoints/{name}': defineV1({
        summary: 'Changes the address and events of a webhook, or switches it off or on. Its secret stays.',
        params: name,
        body: changesOf(editWebhookInput.omit({ name: true })),
        answer: view,
        problems: ['not-found'],
      }),
    },
  }),
  'webhooks.remove': mutation('admin', 'fleet', {
    input: webhookInput,
    handle: ({ fleet, actor, input }) => fleet.removeWebhook(input, actor),
    v1: {
      'DELETE /v1/webhook-endpoints/{name}': defineV1({
        summary: 'Removes a webhook with its deliveries.',
        params: name,
        answer: view,
        problems: ['not-found'],
      }),
    },
  }),
  'webhooks.rotate': mutation('admin', 'fleet', {
    isSecret: true,
    input: webhookInput,
    handle: ({ fleet, actor, input }) => fleet.rotateWebhook(input, actor),
    v1: {
      'POST /v1/webhook-endpoints/{name}/rotate-secret': defineV1({
        summary: 'Makes a new secret. The previous one also signs for a day.',
        params: name,
        answer: withSecret,
        problems: ['not-found'],
      }),
    },
  }),
  'webhooks.test': mutation('admin', 'fleet', {
    input: webhookInput,
    handle: ({ fleet, actor, input }) => fleet.testWebhook(input, actor),
    v1: {
      'POST /v1/webhook-endpoints/{name}/test': defineV1({
        summary: 'Sends an event of the type webhook.test.',
        params: name,
        answer: delivery,
        problems: ['not-found'],
        conflicts: ['disabled'],
        handle: ({ fleet, actor, params, requestId }) => fleet.testWebhook({ ...params, requestId }, actor),
      }),
    },
  }),
  'webhooks.deliveries': query('admin', 'fleet', {
    input: deliveriesInput,
    handle: ({ fleet, actor, input }) => fleet.webhookDeliveries(input, actor),
    v1: {
      'GET /v1/webhook-endpoints/{name}/deliveries': defineV1({
        summary: 'Lists the deliveries of a webhook, newest first, with the result of each attempt.',
        params: name,
        query: z.strictObject({ limit: page.limit }),
        answer: z.object({ items: z.array(delivery) }),
        problems: ['not-found'],
        handle: async ({ fleet, actor, params, query: { limit } }) => {
          const outcome = await fleet.webhookDeliveries({ name: params.name, limit }, actor);
          return outcome.kind === 'ok' ? ok({ items: outcome.value }) : outcome;
        },
      }),
    },
  }),
  'webhooks.replay': mutation('admin', 'fleet', {
    input: replayWebhookInput,
    handle: ({ fleet, actor, input }) => fleet.replayWebhook(input, actor),
    v1: {
      'POST /v1/webhook-endpoints/{name}/deliveries/{delivery}/replay': defineV1({
        summary: 'Sends a delivery again, with the same id.',
        params: z.strictObject(replayWebhookInput.shape),
        answer: delivery,
        problems: ['not-found'],
        conflicts: ['disabled'],
      }),
    },
  }),
};
