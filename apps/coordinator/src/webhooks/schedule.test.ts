/** Retries a webhook, and gives it up in the end. */
import { webhookDelivery, webhookEndpoint } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { nextTry } from '../sending/schedule.ts';
import { afterAttempt, classOf, WAITS_MS } from './schedule.ts';
import type { Told } from './schedule.ts';
import { retryAfterOf } from './send.ts';
import type { Sent } from './send.ts';

const HOUR = 3_600_000;
const endpoint = webhookEndpoint();
const delivery = webhookDelivery(endpoint, { state: 'waiting', tries: 0, nextAt: 0 });
const fails = { kind: 'answered', status: 500, retryAfterMs: null } as const;

function tried(told: Told, sent: Sent, { now, chance }: { readonly now: number; readonly chance: number }): Told {
  const next = nextTry(classOf(sent), { failures: told.delivery.tries, waitsMs: WAITS_MS, now, chance });
  return afterAttempt(told, sent, { next, now });
}

test('given an endpoint that always fails, when it is tried as often as planned, then the waits grow for 75 hours, and it is switched off after three days', () => {
  let now = 0;
  let next: Told = { delivery, endpoint };
  const waits: number[] = [];
  while (next.delivery.state === 'waiting') {
    next = tried(next, fails, { now, chance: 0.5 });
    waits.push((next.delivery.nextAt ?? now) - now);
    now = next.delivery.nextAt ?? now;
  }

  expect(waits.map((ms) => ms / 1_000)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, 0]);
  expect(next.delivery).toMatchObject({ state: 'dead', tries: 10, nextAt: null });
  expect(next.endpoint).toMatchObject({ failingSince: 0, disabledAt: now });
});

test('given an answer that asks to wait, when it is longer than the plan, then it is waited for, and a shorter one is not', () => {
  const late = tried({ delivery, endpoint }, { ...fails, retryAfterMs: 60_000 }, { now: 0, chance: 0.5 });
  const soon = tried({ delivery, endpoint }, { ...fails, retryAfterMs: 1 }, { now: 0, chance: 0 });

  expect([late.delivery.nextAt, soon.delivery.nextAt]).toEqual([60_000, 4_500]);
});

test('given an endpoint that failed, when it takes one, then it counts as good again', () => {
  const failing = { ...endpoint, failingSince: 5 };
  const next = tried({ delivery, endpoint: failing }, { ...fails, status: 204 }, { now: 90 * HOUR, chance: 0 });

  expect(next.delivery.state).toBe('delivered');
  expect(next.endpoint).toMatchObject({ failingSince: null, disabledAt: null });
});

test('given an endpoint that answers 410, when it is told so, then it is switched off at once', () => {
  const next = tried({ delivery, endpoint }, { ...fails, status: 410 }, { now: 7, chance: 0 });

  expect(next.endpoint).toMatchObject({ disabledAt: 7, disabledWhy: expect.stringContaining('410') });
});

test.each([
  [undefined, null],
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['99999999', 24 * HOUR],
  ['soon', null],
  ['-5', null],
] as const)('given the header Retry-After: %s, when it is read, then it means %s ms', (header, ms) => {
  expect(retryAfterOf(header, 0)).toBe(ms);
});
