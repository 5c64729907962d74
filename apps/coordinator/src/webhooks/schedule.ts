/** Decides when a webhook is retried, and when an endpoint is given up. */
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import type { Next, Verdict } from '../sending/schedule.ts';
import type { Sent } from './send.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before each retry: about 75 hours in all. Source: the Standard Webhooks specification. */
export const WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** Milliseconds after which an endpoint that has taken nothing is switched off. */
const GIVEN_UP_MS = 72 * HOUR;

/** A delivery and its endpoint. */
export interface Told {
  readonly delivery: WebhookDelivery;
  readonly endpoint: WebhookEndpoint;
}

/** Classes an attempt. Any failure may pass: an endpoint that is gone for good is switched off, and its deliveries stay. */
export function classOf(sent: Sent): Verdict {
  if (sent.kind === 'failed') return { kind: 'again', why: sent.error, afterMs: null };
  const { status, retryAfterMs } = sent;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  return { kind: 'again', why: `It answered ${status}`, afterMs: retryAfterMs };
}

/** Updates both rows after an attempt. */
export function afterAttempt(
  { delivery, endpoint }: Told,
  sent: Sent,
  { next, now }: { readonly next: Next; readonly now: number },
): Told {
  const tries = delivery.tries + 1;
  if (next.kind === 'done')
    return {
      delivery: { ...delivery, tries, state: 'delivered', nextAt: null },
      endpoint: { ...endpoint, failingSince: null },
    };
  const failing = { ...endpoint, failingSince: endpoint.failingSince ?? now };
  return {
    delivery: {
      ...delivery,
      tries,
      state: next.kind === 'dead' ? 'dead' : 'waiting',
      nextAt: next.kind === 'dead' ? null : next.until,
    },
    endpoint: switchedOff(failing, sent, now),
  };
}

function switchedOff(endpoint: WebhookEndpoint, sent: Sent, now: number): WebhookEndpoint {
  if (endpoint.disabledAt !== null) return endpoint;
  if (sent.kind === 'answered' && sent.status === 410)
    return { ...endpoint, disabledAt: now, disabledWhy: 'It answered 410 (gone)' };
  if (now - (endpoint.failingSince ?? now) < GIVEN_UP_MS) return endpoint;
  return { ...endpoint, disabledAt: now, disabledWhy: 'It has accepted nothing for three days' };
}
