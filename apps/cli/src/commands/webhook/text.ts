/** Formats webhooks and their deliveries. */
import type { DeliveryView, WebhookView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { ago, paint, plain, table } from '../../terminal/style.ts';

/** Formats a line for each webhook. */
export function webhooksText(webhooks: readonly WebhookView[], { now, terminal }: Page): string {
  if (webhooks.length === 0) return 'There are no webhooks: add one with "drover webhook add NAME URL".';
  const head = ['NAME', 'STATE', 'TYPES', 'PROJECT', 'ADDRESS'].map((cell) => paint(cell, 'dim', terminal.colours));
  const lines = webhooks.map((one) => [
    plain(one.name),
    stateOf(one, now),
    one.types.join(', ') || 'everything',
    plain(one.project ?? 'all'),
    plain(one.url),
  ]);
  const why = webhooks.flatMap(({ name, why: reason }) =>
    reason === null ? [] : [`${plain(name)}: ${plain(reason)}.`],
  );
  return [table([head, ...lines], terminal.columns), ...why].join('\n');
}

function stateOf({ state, failingSince }: WebhookView, now: number): string {
  return state === 'failing' && failingSince !== null ? `failing since ${ago(now - failingSince)}` : state;
}

/** Formats a line for each delivery, with its last attempt. */
export function deliveriesText(told: readonly DeliveryView[], { now, terminal }: Page): string {
  if (told.length === 0) return 'There are no deliveries yet.';
  const head = ['ID', 'TOLD', 'TYPE', 'STATE', 'TRIES', 'LAST'].map((cell) => paint(cell, 'dim', terminal.colours));
  const lines = told.map(({ id, createdAt, type, state, attempts }) => {
    const last = attempts.at(-1);
    return [
      id.slice(-8),
      ago(now - createdAt),
      plain(type),
      state,
      String(attempts.length),
      last === undefined ? '' : plain(attemptText(last)),
    ];
  });
  return table([head, ...lines], terminal.columns);
}

/** Describes the result of one attempt. */
export function attemptText({ status, error, durationMs }: DeliveryView['attempts'][number]): string {
  return status === null ? (error ?? 'no answer') : `${status} after ${durationMs} ms`;
}
