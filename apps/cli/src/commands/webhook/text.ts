/** Formats webhooks and their deliveries. */
import type { DeliveryView, WebhookView } from '@drover/api';
import type { Listing } from '../../terminal/lists/listing.ts';
import { ago, plain } from '../../terminal/style.ts';

/** The list of `drover webhook`. */
export const WEBHOOKS: Listing<WebhookView> = {
  empty: 'There are no webhooks: add one with "drover webhook add NAME URL".',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => plain(name) },
    { name: 'STATE', of: (webhook, { now }) => stateOf(webhook, now) },
    { name: 'TYPES', of: ({ types }) => types.join(', ') || 'everything' },
    { name: 'PROJECT', of: ({ project }) => plain(project ?? 'all') },
    { name: 'ADDRESS', of: ({ url }) => plain(url) },
  ],
  below: (webhooks) => webhooks.flatMap(({ name, why }) => (why === null ? [] : [`${plain(name)}: ${plain(why)}.`])),
};

function stateOf({ state, failingSince }: WebhookView, now: number): string {
  return state === 'failing' && failingSince !== null ? `failing since ${ago(now - failingSince)}` : state;
}

/** The list of `drover webhook deliveries`. */
export const DELIVERIES: Listing<DeliveryView> = {
  empty: 'There are no deliveries yet.',
  nameOf: ({ id }) => id,
  columns: [
    { name: 'ID', of: ({ id }) => id.slice(-8) },
    { name: 'CREATED', of: ({ createdAt }, { now }) => ago(now - createdAt) },
    { name: 'TYPE', of: ({ type }) => plain(type) },
    { name: 'STATE', of: ({ state }) => state },
    { name: 'TRIES', of: ({ attempts }) => String(attempts.length) },
    { name: 'LAST', of: ({ attempts }) => plain(attempts.slice(-1).map(attemptText).join('')) },
  ],
};

/** Describes the result of one attempt. */
export function attemptText({ status, error, durationMs }: DeliveryView['attempts'][number]): string {
  return status === null ? (error ?? 'no answer') : `${status} after ${durationMs} ms`;
}
