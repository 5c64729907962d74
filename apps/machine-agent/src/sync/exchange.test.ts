/** Checks when a machine reports its condition to the coordinator. */
import { expect, test } from 'vitest';
import type { ConditionRead } from '../condition/condition.ts';
import type { Outbox } from '../store/outbox.ts';
import { Exchange } from './exchange.ts';

const READ: ConditionRead = { programs: [], processors: 2, load: 0.5, memory: { bytes: 2, freeBytes: 1 }, disk: null };

test('given readings of the machine, when messages go, then each is told once with the time of its message, and again where that was lost', () => {
  let [newest, now]: [ConditionRead | null, number] = [null, 100];
  const outbox = { after: () => [], hasAfter: () => false, acknowledged: () => {} };
  const known = { publicKey: 'k', rotate: false, workers: [], profiles: { revision: 0, documents: [] }, lacks: [] };
  const exchange = new Exchange({
    outbox: outbox as unknown as Outbox,
    agentEpoch: 'e',
    hello: { accessToken: 't', expiresAt: 0, epoch: 1, serverTime: 0, ...known },
    profilesRevision: () => 0,
    onProfiles: () => {},
    receive: () => {},
    condition: () => newest,
    now: () => now,
  });

  expect(exchange.next()).not.toHaveProperty('condition');
  newest = READ;
  expect(exchange.hasNews).toBe(false);
  expect(exchange.next().condition).toEqual({ ...READ, sentAt: 100 });
  expect(exchange.next()).not.toHaveProperty('condition');
  now = 200;
  newest = { ...READ, load: 3 };
  const lost = exchange.next();
  expect(lost.condition).toMatchObject({ load: 3, sentAt: 200 });
  now = 300;
  exchange.notHeard(lost);
  expect(exchange.next().condition).toMatchObject({ load: 3, sentAt: 300 });
});
