/** Lifetime of the token that a process makes for its own people. */
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { StartToken, startTokens } from './start-token.ts';
import { startTokenName } from '../context/token-names.ts';
import { testContext } from '../testing/context.ts';
import type { Context } from '../context/context.ts';
import { actorOf } from '../facts/people/actor.ts';

const SECRET = 's'.repeat(43);
const BOT = { secret: 'b'.repeat(43), role: 'responder', channels: ['telegram'] } as const;

interface Making {
  readonly token: { readonly name: string; readonly secret: string; readonly kept?: boolean } | null;
  readonly bot?: typeof BOT;
}

/** Starts processes one after the other, or beside each other, on one database. */
function processes(): (making: Making) => Context {
  const store = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  return (making) => testContext({ store, ownTokens: startTokens(making).map(startTokenName) });
}

const shows = (ctx: Context, secret: string): ReturnType<typeof actorOf> => actorOf(ctx, `Bearer ${secret}`);

test('given a process that was killed, when another one serves its database, then the tokens that it made are good no more', async () => {
  const start = processes();
  const making = { token: { name: 'local', secret: SECRET }, bot: BOT };
  const killed = start(making);
  for (const one of startTokens(making)) await StartToken.issue(killed, one);

  const after = start({ token: { name: 'local', secret: 'another'.repeat(7) } });

  expect(await shows(killed, SECRET)).toMatchObject({ kind: 'person', role: 'admin' });
  expect(await shows(killed, BOT.secret)).toMatchObject({ kind: 'bot' });
  expect(await shows(after, SECRET)).toBeNull();
  expect(await shows(after, BOT.secret)).toBeNull();
});

test('given a token that several processes are given, when the one that stored it was killed, then it is good in the others', async () => {
  const start = processes();
  const token = { name: 'local', secret: SECRET, kept: true };
  await StartToken.issue(start({ token }), token);

  expect(await shows(start({ token }), SECRET)).toMatchObject({ role: 'admin' });
  expect(await shows(start({ token: null }), SECRET)).toMatchObject({ role: 'admin' });
});
