/** A machine that may not join is refused with a reason. */
import { expect, test } from 'vitest';
import { PROTOCOL_VERSION, readInvitation } from '@drover/protocol';
import { newId, scene } from '../support/coordinator.ts';
import { post, ScriptedMachine } from '../support/scripted-machine.ts';

test.each([
  [
    'a used token',
    async (url: string, token: string) =>
      post(`${url}/agent/join`, { ...PROTO, token: secretOf(token), name: 'second', publicKey: KEY }),
    'bad-token',
  ],
  [
    'a key that is none',
    async (url: string) => post(`${url}/agent/join`, { ...PROTO, token: 'x', name: 'second', publicKey: 'bm9uZQ==' }),
    'bad-key',
  ],
  [
    'an agent of an older protocol',
    async (url: string) => post(`${url}/agent/challenge`, { machineId: newId() }),
    'version.*Upgrade it\\. An agent: .*npm install --global.*drover machine service install',
  ],
  ['a body that is none', async (url: string) => post(`${url}/agent/challenge`, 'x'), 'bad-request'],
])('given %s, when it joins, then it is refused with a reason', async (_what, attempt, code) => {
  await using given = await scene();
  const token = await given.coordinator.invite();
  await using first = new ScriptedMachine(given.coordinator.url);
  await first.join(token, 'first');

  await expect(attempt(given.coordinator.url, token)).rejects.toThrow(new RegExp(code));
});

const PROTO = { proto: PROTOCOL_VERSION };

function secretOf(token: string): string {
  return readInvitation(token)?.secret ?? '';
}

const KEY = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
