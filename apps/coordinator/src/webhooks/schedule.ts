/** When a webhook is tried again, and when an endpoint is given up. */
import type { WebhookDelivery, WebhookEndpoint } from '@drover/store';
import type { Sent } from './send.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The time before each further attempt, in milliseconds: about 75 hours in all. Source: the Standard Webhooks specification. */
const WAITS_MS = [
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
/** Waits differ by so much, so that endpoints that failed together do not come back together. */
const SPREAD = 0.1;
/** An endpoint that has taken nothing for so long is switched off, in milliseconds. */
const GIVEN_UP_MS = 72 * HOUR;

/** What follows an attempt. */
export interface Next {
  readonly delivery: WebhookDelivery;
  readonly endpoint: WebhookEndpoint;
}

/** @param chance In [0, 1). */
export function afterAttempt(
  { delivery, endpoint }: Next,
  sent: Sent,
  { now, chance }: { readonly now: number; readonly chance: number },
): Next {
  const tries = delivery.tries + 1;
  if (sent.kind === 'answered' && sent.status >= 200 && sent.status < 300)
    return {
      delivery: { ...delivery, tries, state: 'delivered', nextAt: null },
      endpoint: { ...endpoint, failingSince: null },
    };
  const failing = { ...endpoint, failingSince: endpoint.failingSince ?? now };
  const wait = WAITS_MS[tries - 1];
  const asked = sent.kind === 'answered' ? sent.retryAfterMs : null;
  const waitMs = wait === undefined ? null : Math.max(asked ?? 0, wait * (1 - SPREAD + 2 * SPREAD * chance));
  return {
    delivery: {
      ...delivery,
      tries,
      state: waitMs === null ? 'dead' : 'waiting',
      nextAt: waitMs === null ? null : now + Math.round(waitMs),
    },
    endpoint: switchedOff(failing, sent, now),
  };
}

function switchedOff(endpoint: WebhookEndpoint, sent: Sent, now: number): WebhookEndpoint {
  if (endpoint.disabledAt !== null) return endpoint;
  if (sent.kind === 'answered' && sent.status === 410)
    return { ...endpoint, disabledAt: now, disabledWhy: 'It answered 410: it is gone for good' };
  if (now - (endpoint.failingSince ?? now) < GIVEN_UP_MS) return endpoint;
  return { ...endpoint, disabledAt: now, disabledWhy: 'It has taken nothing for three days' };
}
