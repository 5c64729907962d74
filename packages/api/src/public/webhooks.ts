/** Webhooks: where programs outside want to be called. What clients send and see, and the use cases. */
import { NAME_MAX, epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { idPart } from '../texts.ts';
import { eventType } from './events.ts';

const NAME_WORDS = 'The name of a webhook has 1 to 63 small letters, digits and hyphens, a letter or digit first';

const webhookName = z
  .string()
  .max(63, NAME_WORDS)
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/u, NAME_WORDS);

/** A new webhook. Without types it is told everything; without a project, of all of them. */
export const addWebhookInput = z.object({
  name: webhookName,
  url: z.string().min(1).max(2_000),
  types: z.array(eventType).max(50).default([]),
  format: z.enum(['standard', 'text']).default('standard'),
  project: z.string().min(1).max(NAME_MAX).optional(),
});

/** A webhook by its name. */
export const webhookInput = z.object({ name: z.string().min(1).max(100) });

/** Changes what is named. Switched on again it is told what happens from then on, and the rest by a replay. */
export const editWebhookInput = webhookInput.extend({
  url: addWebhookInput.shape.url.optional(),
  types: addWebhookInput.shape.types.unwrap().optional(),
  format: addWebhookInput.shape.format.unwrap().optional(),
  enabled: z.boolean().optional(),
});

/** Asks for what a webhook was told, newest first. */
export const deliveriesInput = webhookInput.extend({ limit: z.number().int().min(1).max(500) });

/** Names what is told again. */
export const replayWebhookInput = webhookInput.extend({ delivery: idPart('a delivery') });

/** A webhook as it is listed; its secret is shown when it is made or rotated, and never again. Times are epoch milliseconds. */
export const webhookView = z.object({
  id: uuid,
  name: z.string(),
  url: z.string(),
  /** Empty: everything. */
  types: z.array(z.string()),
  format: z.enum(['standard', 'text']),
  /** Null: of all projects. */
  project: z.string().nullable(),
  /** `failing`: the last attempt was not taken; `disabled`: nothing is sent until it is switched on. */
  state: z.enum(['good', 'failing', 'disabled']),
  /** Why it is disabled. */
  why: z.string().nullable(),
  failingSince: epochMs.nullable(),
  /** Until when the secret of before signs too. */
  oldSecretUntil: epochMs.nullable(),
  createdAt: epochMs,
});

/** A checked `webhookView`. */
export type WebhookView = z.infer<typeof webhookView>;

/** A webhook with its secret, which is shown this once. */
export const webhookSecretView = z.object({ webhook: webhookView, secret: z.string() });

/** A checked `webhookSecretView`. */
export type WebhookSecretView = z.infer<typeof webhookSecretView>;

/** What a webhook was told, with how each attempt ended. */
export const deliveryView = z.object({
  id: uuid,
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  /** When it is tried next; null: not any more. */
  nextAt: epochMs.nullable(),
  createdAt: epochMs,
  attempts: z.array(
    z.object({
      number: z.number().int(),
      at: epochMs,
      durationMs: z.number(),
      /** Null: there was no answer, and `error` says why. */
      status: z.number().int().nullable(),
      error: z.string().nullable(),
    }),
  ),
});

/** A checked `deliveryView`. */
export type DeliveryView = z.infer<typeof deliveryView>;

/** The use cases of webhooks. */
export interface WebhookFleet {
  listWebhooks(by: Actor): Promise<WebhookView[]>;
  /** Refused with `name-taken`, with `invalid` for an address to which nothing may be sent, or `not-found` of the project. */
  addWebhook(input: z.output<typeof addWebhookInput>, by: Actor): Promise<Outcome<WebhookSecretView>>;
  /** Refused with `invalid` for an address to which nothing may be sent. */
  editWebhook(input: z.output<typeof editWebhookInput>, by: Actor): Promise<Outcome<WebhookView>>;
  removeWebhook(input: z.infer<typeof webhookInput>, by: Actor): Promise<Outcome<WebhookView>>;
  /** A new secret; the one of before signs too for a day. */
  rotateWebhook(input: z.infer<typeof webhookInput>, by: Actor): Promise<Outcome<WebhookSecretView>>;
  /** Sends an event of the type `webhook.test`. */
  testWebhook(
    input: z.infer<typeof webhookInput> & { readonly requestId?: string },
    by: Actor,
  ): Promise<Outcome<DeliveryView>>;
  webhookDeliveries(input: z.infer<typeof deliveriesInput>, by: Actor): Promise<Outcome<DeliveryView[]>>;
  /** Tells it again, with the same id: at once, and from the first wait on. */
  replayWebhook(input: z.infer<typeof replayWebhookInput>, by: Actor): Promise<Outcome<DeliveryView>>;
}
