/** Builds a webhook's message in the form of Standard Webhooks, signed with every valid secret. */
import type { AnnouncementView } from '@drover/api';
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { Webhook } from 'standardwebhooks';
import type { QuestionWords } from '../use-cases/channels/card.ts';
import type { Message } from './send.ts';

/** Builds the message of an attempt. `now` is epoch milliseconds; `question` is the message's question, as it is now. */
export function webhookMessage(
  endpoint: WebhookEndpoint,
  { id, body }: WebhookDelivery,
  { now, question }: { readonly now: number; readonly question: QuestionWords | null },
): Message {
  const said = body as AnnouncementView;
  const text = JSON.stringify(
    endpoint.format === 'text' ? { text: textOf(said, question) } : payloadOf(said, question),
  );
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

function payloadOf(said: AnnouncementView, question: QuestionWords | null): object {
  const data = question === null ? said : { ...said, question };
  return { type: said.type, timestamp: new Date(said.at).toISOString(), data };
}

/** Makes one line for a chat, with no word that a chat takes for a mention. */
function textOf({ type, subject, actor }: AnnouncementView, question: QuestionWords | null): string {
  const { kind, id } = subject;
  const what = whatIs(subject);
  const which = kind === 'escalation' ? ` (question ${id.slice(-8)})` : '';
  const by = actor === null ? '' : ` by ${actor.name}`;
  const state = 'status' in subject ? `, now ${subject.status}` : '';
  const answers = question?.options.map(({ label }) => label).join(' / ') ?? '';
  const asks = question === null ? '' : `: ${question.title}${answers === '' ? '' : ` (${answers})`}`;
  return `Drover: ${type} ${what}${which}${state}${by}${asks}`.replaceAll(/[@<>&]/gu, ' ').replaceAll(/\s+/gu, ' ');
}

function whatIs(subject: AnnouncementView['subject']): string {
  if ('worker' in subject) return subject.worker;
  if ('machine' in subject) return subject.machine;
  return 'flow' in subject ? `${subject.flow} ${subject.id.slice(-8)}` : subject.webhook;
}
