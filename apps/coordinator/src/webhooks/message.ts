/** What a webhook says, as the Standard Webhooks specification has it, signed with every secret that counts. */
import type { AnnouncementView } from '@drover/api';
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { Webhook } from 'standardwebhooks';
import type { Message } from './send.ts';

/** The message of an attempt. `now` is epoch milliseconds. */
export function messageOf(endpoint: WebhookEndpoint, { id, body }: WebhookDelivery, now: number): Message {
  const said = body as AnnouncementView;
  const text = endpoint.format === 'text' ? JSON.stringify({ text: textOf(said) }) : JSON.stringify(payloadOf(said));
  const at = new Date(now);
  const signatures = secretsOf(endpoint, now).map((secret) => new Webhook(secret).sign(id, at, text));
  return {
    url: endpoint.url,
    body: text,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Drover',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
  };
}

function secretsOf({ secret, oldSecret, oldSecretUntil }: WebhookEndpoint, now: number): readonly string[] {
  return oldSecret !== null && oldSecretUntil !== null && now < oldSecretUntil ? [secret, oldSecret] : [secret];
}

function payloadOf(said: AnnouncementView): object {
  return { type: said.type, timestamp: new Date(said.at).toISOString(), data: said };
}

/** One line for a chat: names and states alone, and no word that a chat takes for a mention. */
function textOf({ type, subject, actor }: AnnouncementView): string {
  const { kind, id, worker, machine, webhook, status } = subject;
  const what = worker ?? machine ?? webhook ?? '';
  const which = kind === 'escalation' ? ` (question ${String(id).slice(-8)})` : '';
  const by = actor === null ? '' : ` by ${actor.name}`;
  const state = status === undefined ? '' : `, now ${status}`;
  return `Drover: ${type} ${what}${which}${state}${by}`.replaceAll(/[@<>&]/gu, ' ');
}
