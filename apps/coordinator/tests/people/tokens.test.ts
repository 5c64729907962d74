/** Tokens of people: made, listed, revoked while a call waits; and two coordinators on one database that lock no one out. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { connect, createSqlStore } from '@drover/store';
import type { Database } from '@drover/store';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/context/sha256.ts';
import { until } from '../../../../tools/fleet/wait.ts';
import { call, callAs, replica, scene, SECRET } from '../support/coordinator.ts';

interface Made {
  readonly secret: string;
  readonly token: { readonly name: string };
}

interface Listed {
  readonly name: string;
  readonly own: boolean;
  readonly lastUsedAt: number | null;
}

test('given a call that waits for news, when its token is revoked, then it ends within five seconds, with a last word', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { secret } = await make(url, { name: 'ann', role: 'viewer' });
  const { last } = await newest(url);

  const begun = systemClock.now();
  const waits = callAs({ url, token: secret }, 'events', { waitMs: 25_000, limit: 10, after: last });
  const revokes = untilUsed(url, 'ann').then(() =>
    call(url, 'tokens.revoke', { name: 'ann', own: false, force: false }),
  );
  await Promise.all([expect(waits).rejects.toThrow('The token "ann" was revoked'), revokes]);

  // Tests not the speed, but that the call did not wait for its own end.
  expect(systemClock.now() - begun).toBeLessThan(20_000);
  await expect(callAs({ url, token: secret }, 'workers.list')).rejects.toThrow('unauthorized');
});

test('given a token that expires while a call waits, when its time is over, then the call ends, and it opens nothing', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { secret } = await make(url, { name: 'ann', role: 'viewer', expiresInMs: 60_000 });
  const { last } = await newest(url);
  await expect(make(url, { name: 'ben', role: 'viewer', expiresInMs: 1 })).rejects.toThrow('expire within a minute');

  const waits = callAs({ url, token: secret }, 'events', { waitMs: 25_000, limit: 10, after: last });
  await Promise.all([
    expect(waits).rejects.toThrow('The token "ann" has expired'),
    untilUsed(url, 'ann').then(() => expire(given.databaseUrl, 'ann', secret)),
  ]);

  await expect(callAs({ url, token: secret }, 'workers.list')).rejects.toThrow('unauthorized');
});

test('given the token in use and the last one of an admin, when they are revoked, then only after it was said twice', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const own = (await tokens(url)).find((token) => token.own)?.name ?? '';

  const revoke = (more: object) => call(url, 'tokens.revoke', { name: own, own: false, force: false, ...more });
  await expect(revoke({})).rejects.toThrow('own-token');
  await expect(revoke({ own: true })).rejects.toThrow('last-admin');
  await make(url, { name: 'boss', role: 'admin' });
  await revoke({ own: true });

  await expect(tokens(url)).rejects.toThrow('unauthorized');
});

test('given two admins, when each revokes the other at once, then one stays', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const [ann, ben] = [await make(url, { name: 'ann', role: 'admin' }), await make(url, { name: 'ben', role: 'admin' })];
  const first = (await tokens(url)).find((token) => token.own)?.name ?? '';
  await callAs({ url, token: ann.secret }, 'tokens.revoke', { name: first, own: false, force: false });

  const outcomes = await Promise.allSettled([
    callAs({ url, token: ann.secret }, 'tokens.revoke', { name: 'ben', own: false, force: false }),
    callAs({ url, token: ben.secret }, 'tokens.revoke', { name: 'ann', own: false, force: false }),
  ]);

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('given a name that is taken, a project that is none and a token that is used, when they are told, then in words', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { secret } = await make(url, { name: 'ann', role: 'admin', project: 'demo' });

  await expect(make(url, { name: 'ann', role: 'viewer' })).rejects.toThrow('name-taken');
  await expect(make(url, { name: 'ben', role: 'viewer', project: 'nope' })).rejects.toThrow('there are: demo');
  await expect(make(url, { name: 'b\u202een', role: 'viewer' })).rejects.toThrow('letters, digits');
  await callAs({ url, token: secret }, 'workers.list');
  expect((await tokens(url)).find(({ name }) => name === 'ann')?.lastUsedAt).not.toBeNull();
  expect(secret).toMatch(/^drv_[\w-]{43,}$/);
});

test('given two coordinators on one database, when the second starts and ends, then the token of each is good there and nowhere else', async () => {
  await using database = await openTestDatabase();
  const { connectionString } = database;
  await using one = await replica(connectionString, { token: { name: 'local', secret: SECRET } });
  const secret = `${SECRET}-of-the-second`;
  {
    await using two = await replica(connectionString, { token: { name: 'local', secret } });
    expect(await call(one.url, 'workers.list')).toEqual([]);
    expect(await callAs({ url: two.url, token: secret }, 'workers.list')).toEqual([]);
    await expect(callAs({ url: one.url, token: secret }, 'workers.list')).rejects.toThrow('unauthorized');
    await expect(call(two.url, 'workers.list')).rejects.toThrow('unauthorized');
  }
  expect(await call(one.url, 'workers.list')).toEqual([]);
  await expect(callAs({ url: one.url, token: secret }, 'workers.list')).rejects.toThrow('unauthorized');
});

/** Puts the token's end into the past. */
async function expire(databaseUrl: string, name: string, secret: string): Promise<void> {
  await using connection = connect<Database>(databaseUrl, { log: () => {}, maxConnections: 1 });
  const store = createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: () => 0 });
  const end = { expiresAt: systemClock.now() - 60_000, sha256: sha256(secret) };
  const token = { id: randomUUID(), name, role: 'viewer' as const, projectId: null, workerId: null, ...end };
  await store.createApiToken(token, systemClock.now());
}

function make(url: string, input: object): Promise<Made> {
  return call(url, 'tokens.create', input) as Promise<Made>;
}

function tokens(url: string): Promise<readonly Listed[]> {
  return call(url, 'tokens.list') as Promise<readonly Listed[]>;
}

/** Waits until a call with the token was let in: a later call would be refused like a wrong token. */
async function untilUsed(url: string, name: string): Promise<void> {
  await until(`a call with the token "${name}" to come in`, async () =>
    (await tokens(url)).some((one) => one.name === name && one.lastUsedAt !== null),
  );
}

async function newest(url: string): Promise<{ last: number }> {
  const [event] = (await call(url, 'events', { waitMs: 0, limit: 1 })) as { id: number }[];
  return { last: event?.id ?? 0 };
}
