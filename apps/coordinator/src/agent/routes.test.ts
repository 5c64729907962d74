/** Refuses gateways and agents of versions that are not served, whatever else they say. */
import { PROTOCOL_VERSION } from '@drover/protocol';
import type { Machine } from '@drover/store';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { testContext } from '../testing/context.ts';
import { agentRoutes } from './routes.ts';
import { Waiters } from '../context/waiters.ts';

/** Sends the body as an admitted gateway to a coordinator that serves versions since `minVersion`. */
async function answerTo(body: unknown, minVersion?: string): Promise<{ status: number; said: string }> {
  const memory = createMemoryStore({ database: new MemoryDatabase(), sleep: () => Promise.resolve(), random: () => 0 });
  const gateway = { id: 'g', name: 'home', isGateway: true, revokedAt: null } as Machine;
  const store = { ...memory, machineByToken: () => Promise.resolve(gateway) };
  const ctx = testContext({ store, ...(minVersion !== undefined && { minVersion }) });
  const waiting = {
    waiters: new Waiters(),
    vouch: () => {},
    stopping: new AbortController().signal,
    doDueWork: null,
  };
  const headers = { authorization: `Bearer ${'t'.repeat(43)}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await agentRoutes(ctx, waiting).request('/gateway', request, {});
  const said: unknown = await answer.json();
  return { status: answer.status, said: isError(said) ? said.message : '' };
}

function isError(said: unknown): said is { readonly message: string } {
  return typeof said === 'object' && said !== null && 'message' in said;
}

const asks = (proto: unknown): unknown => ({ proto, hosts: [], take: [], revision: '', leaving: true });

test.each([
  [asks('3.2'), /"3\.2", this coordinator 3\.3 to .*Upgrade the gateway: .*npm install --global/u],
  [asks('2.9'), /Upgrade the gateway/u],
  [asks('4.0'), /upgrade the coordinator first/u],
  [{ proto: '1.0', of: 'another time' }, /Upgrade the gateway/u],
  [asks(7), /Upgrade the gateway/u],
])(
  'given a gateway that says %j, when only newer ones are served, then it is told what to type',
  async (body, said) => {
    expect(await answerTo(body, '3.3')).toEqual({ status: 426, said: expect.stringMatching(said) });
  },
);

test('given a gateway of this version, when it says how its machines are, then it is served', async () => {
  expect(await answerTo(asks(PROTOCOL_VERSION), PROTOCOL_VERSION)).toMatchObject({ status: 200 });
});
