/** Strangers cannot keep a machine out, let a captured hello in, or find out which machines exist. */
import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { challengeMessage, PROTOCOL_VERSION } from '@drover/protocol';
import { expect, test } from 'vitest';
import { asked, codeOf, joined, QUESTION } from '../testing/challenged-machine.ts';
import { TEST_IDENTITY } from '../testing/identity.ts';
import { challenge, refusedVersion } from './enrol.ts';
import type { Answer } from './enrol.ts';
import { HelloPace } from '../context/hello-pace.ts';
import { createFleetIdentity } from '../context/identity.ts';

test('given a stranger who asks for 10,000 challenges, when the machine says hello 20 times meanwhile, then each succeeds', async () => {
  const machine = await joined();
  let asked = 0;
  const outcomes: string[] = [];

  for (let round = 0; round < 20; round += 1) {
    const given = await machine.challenge();
    for (let i = 0; i < 500; i += 1) {
      await challenge(machine.ctx, { ...QUESTION, machineId: machine.id, salt: String(i) });
      asked += 1;
    }
    outcomes.push((await machine.hello({ given })).kind);
  }

  expect(asked).toBe(10_000);
  expect(outcomes).toEqual(Array.from({ length: 20 }, () => 'ok'));
});

test('given one challenge, when two hellos use it at once and one later, then exactly one is let in', async () => {
  const machine = await joined();
  const given = await machine.challenge();

  const both = await Promise.all([machine.hello({ given }), machine.hello({ given })]);
  const replayed = await machine.hello({ given });

  expect(both.map(codeOf).toSorted()).toEqual(['nonce-expired', 'ok']);
  expect(codeOf(replayed)).toBe('nonce-expired');
});

test('given a captured hello, when the machine has said another one since and the clock was set back, then it is refused', async () => {
  const machine = await joined();
  const given = await machine.challenge();
  await machine.hello();
  machine.nature.now -= 3_600_000;
  await machine.hello();
  machine.nature.now += 3_600_000;

  expect(codeOf(await machine.hello({ given }))).toBe('nonce-expired');
});

test.each([
  ['older than a minute', 60_001, 'nonce-expired'],
  ['a minute old', 60_000, 'ok'],
  ['of a replica whose clock is ahead', -2_000, 'ok'],
  ['of a clock that was far ahead', -60_001, 'nonce-expired'],
])('given a challenge that is %s, when it is used, then the answer is right', async (_what, passedMs, code) => {
  const machine = await joined();
  const given = await machine.challenge();

  machine.nature.now += passedMs;

  expect(codeOf(await machine.hello({ given }))).toBe(code);
});

test.each([
  ['another machine', (nonce: string) => nonce, randomUUID()],
  [
    'a later time',
    (nonce: string) => nonce.replace(/^[^.]+/, (at) => (Number.parseInt(at, 36) + 1).toString(36)),
    null,
  ],
  ['no mark of ours', (nonce: string) => nonce.replace(/[^.]+$/, 'AAAA'), null],
  ['nothing in it', () => '..', null],
  ['other parts', () => 'x', null],
])('given a challenge with %s, when it is used, then it is refused', async (_what, forge, otherId) => {
  const machine = await joined();
  const { value } = await asked(machine.ctx, otherId ?? machine.id);

  const answer = await machine.hello({ given: { ...value, nonce: forge(value.nonce) } });

  expect(codeOf(answer)).toBe('nonce-expired');
});

test('given an id that is known and one that is not, when a stranger asks and says hello, then the answers have one form', async () => {
  const machine = await joined();
  await machine.hello();
  const thief = generateKeyPairSync('ed25519');
  const answers = [];

  for (const id of [machine.id, randomUUID()]) {
    const { value } = await asked(machine.ctx, id);
    const said = await machine.hello({ given: value, id, by: thief });
    const stale = await machine.hello({ given: { ...value, nonce: 'x' }, id, by: thief });
    const form = value.nonce.split('.').map((part) => part.length);
    answers.push({ form, said: toldWithout(said, id), stale: toldWithout(stale, id) });
  }

  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.said).toContain('unknown-machine');
});

test('given a challenge, when its answer is checked, then it proves the coordinator for this question and for no other', async () => {
  const machine = await joined();
  const question = { ...QUESTION, machineId: machine.id };
  const { value } = await asked(machine.ctx, machine.id);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: value.coordinator }, format: 'jwk' });
  const proves = (patch: Partial<typeof question>): boolean => {
    const message = Buffer.from(challengeMessage({ ...question, ...patch }, value.nonce));
    return verify(null, message, key, Buffer.from(value.signature, 'base64'));
  };

  expect(value.coordinator).toBe(TEST_IDENTITY.id);
  expect(proves({})).toBe(true);
  expect([proves({ url: 'https://other' }), proves({ salt: 'other' }), proves({ machineId: randomUUID() })]).toEqual([
    false,
    false,
    false,
  ]);
});

test('given a hello for another coordinator, when this one gets it, then it is refused', async () => {
  const machine = await joined();
  const other = createFleetIdentity(Buffer.alloc(32, 9).toString('base64url'));

  const answer = await machine.hello({ given: { ...(await machine.challenge()), coordinator: other.id } });

  expect(codeOf(answer)).toBe('other-coordinator');
});

test('given a hello whose address or coordinator was changed on its way, when it is judged, then its signature does not fit', async () => {
  const machine = await joined();

  const moved = await machine.hello({ change: { url: 'https://other.example.com' } });

  expect(codeOf(moved)).toBe('unknown-machine');
});

test('given a revoked machine, when it says hello, then it is told; a stranger with its id is told nothing', async () => {
  const machine = await joined();
  await machine.ctx.store.transaction((tx) => tx.revokeMachine(machine.id, machine.nature.now));

  expect(codeOf(await machine.hello())).toBe('machine-revoked');
  expect(codeOf(await machine.hello({ by: generateKeyPairSync('ed25519') }))).toBe('unknown-machine');
});

function toldWithout(answer: Answer<unknown>, id: string): string {
  return JSON.stringify(answer).replaceAll(id, 'ID');
}

test('given strangers who say hello a thousand times, when the machine does, then it is let in at once; and later ones are told when', async () => {
  const machine = await joined({ hellos: new HelloPace(() => 0) });
  const thief = generateKeyPairSync('ed25519');
  const given = await machine.challenge();
  for (let i = 0; i < 1_000; i += 1) await machine.hello({ given, by: thief });

  expect((await machine.hello({ given })).kind).toBe('ok');

  const answers = [];
  for (let i = 0; i < 40; i += 1) answers.push(await machine.hello());
  expect(answers.at(-1)).toMatchObject({ status: 429, error: { code: 'come-back', retryAfterMs: expect.any(Number) } });
});

test.each([
  ['3.0', undefined, null],
  [
    '3.1',
    '3.2',
    /protocol "3\.1", this coordinator 3\.2 to .*Upgrade it\. An agent: .*drover machine upgrade.*A gateway: .*start "drover server gateway" again/u,
  ],
  ['3.2', '3.2', null],
  [PROTOCOL_VERSION, PROTOCOL_VERSION, null],
  ['2.9', undefined, /Upgrade it/u],
  ['4.0', '3.2', /upgrade the coordinator first/u],
  ['', '3.2', /Upgrade it/u],
])(
  'given an agent of %s, when a coordinator serves those since %s, then it is served or told what to type',
  (proto, minVersion, why) => {
    const answer = refusedVersion(minVersion === undefined ? {} : { minVersion }, proto);

    if (why === null) expect(answer).toBeNull();
    else expect(answer).toMatchObject({ status: 426, error: { code: 'version', message: expect.stringMatching(why) } });
  },
);
