/** A machine stays known through a change of its key, and no other machine becomes known by it. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeOf, joined, publicKeyOf } from '../testing/challenged-machine.ts';

test('given a new key that is wanted, when the answer that knows it was lost, then hello with both works, and with the old one no more', async () => {
  const machine = await joined();
  const next = generateKeyPairSync('ed25519');
  await machine.ctx.store.transaction((tx) => tx.rotateMachine(machine.id, machine.nature.now));
  const asks = await machine.hello();

  const lost = await machine.hello({ next });
  const again = await machine.hello({ next });

  expect(asks).toMatchObject({ kind: 'ok', value: { rotate: true, publicKey: publicKeyOf(machine.keys) } });
  expect(lost).toMatchObject({ kind: 'ok', value: { rotate: false, publicKey: publicKeyOf(next) } });
  expect(again).toMatchObject({ kind: 'ok', value: { rotate: false, publicKey: publicKeyOf(next) } });
  expect(codeOf(await machine.hello())).toBe('unknown-machine');
  expect(codeOf(await machine.hello({ by: next }))).toBe('ok');
});

test.each([
  ['that is not wanted', false, {}, 'old'],
  ['that has not signed', true, { nextSignature: 'AAAA' }, 'old'],
  ['that another machine put in on the way', true, { swap: true }, 'refused'],
])(
  'given a new key %s, when it comes with a hello, then the machine keeps its own',
  async (_what, wanted, how, known) => {
    const machine = await joined();
    if (wanted) await machine.ctx.store.transaction((tx) => tx.rotateMachine(machine.id, machine.nature.now));

    const answer = await machine.hello({ next: generateKeyPairSync('ed25519'), ...how });

    const [row] = await machine.ctx.store.listMachines();
    expect(row?.publicKey).toBe(publicKeyOf(machine.keys));
    expect(codeOf(answer)).toBe(known === 'old' ? 'ok' : 'unknown-machine');
  },
);
