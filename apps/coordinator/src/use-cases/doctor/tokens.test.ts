/** Warns of tokens that expire soon. */
import { expect, test } from 'vitest';
import { startTokenName } from '../../context/token-names.ts';
import { examineTokens } from './tokens.ts';
import type { Context } from '../../context/context.ts';

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;

test('given tokens, when the doctor looks, then those that people use and that end within two weeks are named', async () => {
  const found = await examine([
    { name: 'lasting', expiresAt: null },
    { name: 'month', expiresAt: NOW + 30 * DAY_MS },
    { name: 'week', expiresAt: NOW + 7.5 * DAY_MS },
    { name: 'hours', expiresAt: NOW + DAY_MS / 3 },
    { name: 'over', expiresAt: NOW - 1.5 * DAY_MS },
    { name: 'long-over', expiresAt: NOW - 15 * DAY_MS },
    { name: 'never-used', expiresAt: NOW + DAY_MS, lastUsedAt: null },
    { name: startTokenName({ name: 'local', secret: 's' }), expiresAt: NOW + DAY_MS / 24 },
    { name: 'of-a-worker', expiresAt: NOW + DAY_MS, workerId: 'w' },
  ]);

  expect(found.map(({ about, level, says }) => `${about} (${level}) ${says}`)).toEqual([
    'token week (warning) ends in 7 days',
    'token hours (warning) ends in less than a day',
    'token over (warning) ended 1 day ago: calls with it are refused',
  ]);
  expect(found[0]?.help).toBe('drover auth token edit week --expires 90d');
});

function examine(tokens: readonly object[]): ReturnType<typeof examineTokens> {
  const listed = tokens.map((token) => ({ workerId: null, lastUsedAt: NOW - 1, ...token }));
  const store = { listApiTokens: () => Promise.resolve(listed) } as unknown as Context['store'];
  return examineTokens({ store, clock: { now: () => NOW, after: () => () => {} } });
}
