/** Webhooks: addresses of external programs for calls. Schemas of clients' input and answers, and the use cases. */
import { NAME_MAX, epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { idPart } from '../texts.ts';
import { eventType } from './events.ts';

const NAME_WORDS =
  'The name of a webhook has 1 to 63 lower-case letters, digits and hyphens, and starts with a letter or digit';

const webhookName = z
  .string()
  .max(63, NAME_WORDS)
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/u, NAME_WORDS);

/** A new webhook, for all types if `types` is absent or empty, and for all projects if `project` is absent. */
export const addWebhookInput = z.object({
  name: webhookName,
  url: z.string().min(1).max(2_000),
  types: z.array(eventType).max(50).default([]),
  format: z.enum(['standard', 'text']).default('standard'),
  project: z.string().min(1).max(NAME_MAX).optional(),
});

export const webhookInput = z.object({ name: z.string().min(1).max(100) });

/** Changes the given fields. A webhook that is switched on again gets the events from then on; a replay sends the rest. */
export const editWebhookInput = webhookInput.extend({
  url: addWebhookInput.shape.url.optional(),
  types: addWebhookInput.shape.types.unwrap().optional(),
  format: addWebhookInput.shape.format.unwrap().optional(),
  enabled: z.boolean().optional(),
});

/** Asks for the deliveries of a webhook, newest first. */
export const deliveriesInput = webhookInput.extend({ limit: z.number().int().min(1).max(500) });

/** Names a delivery that is sent again. */
export const replayWebhookInput = webhookInput.extend({ delivery: idPart('a delivery') });

/** A webhook as it is listed. Its secret is shown when it is made or rotated, and never again. Times are epoch milliseconds. */
export const webhookView = z.object({
  id: uuid,
  name: z.string(),
  url: z.string(),
  /** Empty: all types. */
  types: z.array(z.string()),
  format: z.enum(['standard', 'text']),
  /** The only project of the events; null: all projects. */
  project: z.string().nullable(),
  /** `failing`: the last attempt was not accepted; `disabled`: nothing is sent until a person switches the webhook on. */
  state: z.enum(['good', 'failing', 'disabled']),
  /** Reason why the webhook is disabled. */
  why: z.string().nullable(),
  failingSince: epochMs.nullable(),
  /** Time until which the previous secret signs too. */
  oldSecretUntil: epochMs.nullable(),
  createdAt: epochMs,
});

export type WebhookView = z.infer<typeof webhookView>;

/** A webhook with its secret, which is shown this once. */
export const webhookSecretView = z.object({ webhook: webhookView, secret: z.string() });

export type WebhookSecretView = z.infer<typeof webhookSecretView>;

/** A delivery of a webhook, with the result of each attempt. */
export const deliveryView = z.object({
  id: uuid,
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  /** Time of the next retry; null: no retry follows. */
  nextAt: epochMs.nullable(),
  createdAt: epochMs,
  attempts: z.array(
    z.object({
      number: z.number().int(),
      at: epochMs,
      durationMs: z.number(),
      /** Status of the answer; null: there was no answer, and `error` gives the reason. */
      status: z.number().int().nullable(),
      error: z.string().nullable(),
    }),
  ),
});

export type DeliveryView = z.infer<typeof deliveryView>;

/** The use cases of webhooks. */
export interface WebhookFleet {
  listWebhooks(by: Actor): Promise<WebhookView[]>;
  /** Refuses with `name-taken`, with `invalid` for an address to which nothing may be sent, or `not-found` of the project. */
  addWebhook(input: z.output<typeof addWebhookInput>, by: Actor): Promise<Outcome<WebhookSecretView>>;
  /** Refuses with `invalid` for an address to which nothing may be sent. */
  editWebhook(input: z.output<typeof editWebhookInput>, by: Actor): Promise<Outcome<WebhookView>>;
  removeWebhook(input: z.infer<typeof webhookInput>, by: Actor): Promise<Outcome<WebhookView>>;
  /** Makes a new secret; the previous secret signs too for a day. */
  rotateWebhook(input: z.infer<typeof webhookInput>, by: Actor): Promise<Outcome<WebhookSecretView>>;
  /** Sends an event of the type `webhook.test`. */
  testWebhook(
    input: z.infer<typeof webhookInput> & { readonly requestId?: string },
    by: Actor,
  ): Promise<Outcome<DeliveryView>>;
  webhookDeliveries(input: z.infer<typeof deliveriesInput>, by: Actor): Promise<Outcome<DeliveryView[]>>;
  /** Sends the delivery again, with the same id: at once, and then from the first wait on. */
  replayWebhook(input: z.infer<typeof replayWebhookInput>, by: Actor): Promise<Outcome<DeliveryView>>;
}
