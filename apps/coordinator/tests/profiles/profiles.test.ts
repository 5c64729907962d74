/** An agent profile that is added or removed reaches every machine. */
import { expect, test } from 'vitest';
import { BUILT_IN_DOCUMENTS } from '@drover/screen';
import { call, scene } from '../support/coordinator.ts';

const SIM = BUILT_IN_DOCUMENTS.find(({ id }) => id === 'sim');

test('given a profile document, when it is put and taken back, then each sync brings the machine up to date', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  given.machine.cut();
  await given.machine.hello();
  const document = { ...SIM, id: 'mine' };

  await call(url, 'profiles.put', { document });
  const first = await given.machine.poll(0);
  await call(url, 'profiles.remove', { name: 'mine' });
  const second = await given.machine.poll(0, first.profiles?.revision);
  const third = await given.machine.poll(0, second.profiles?.revision);

  expect(first.profiles?.documents).toEqual([{ name: 'mine', document }]);
  expect(second.profiles?.documents).toEqual([]);
  expect(third.profiles).toBeNull();
});

test('given a document that is no profile, when it is put, then the answer names what is wrong with it', async () => {
  await using given = await scene();

  const putting = call(given.coordinator.url, 'profiles.put', { document: { ...SIM, typing: 'by hand' } });

  await expect(putting).rejects.toThrow('typing');
});
