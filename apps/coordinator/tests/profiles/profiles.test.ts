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

test('given a changed profile, when it is staged for a label, adopted and rolled back, then each machine has what it should at each step', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  given.machine.cut();
  await given.machine.hello();
  const [first, second] = [
    { ...SIM, revision: 8 },
    { ...SIM, revision: 9 },
  ];
  const [{ name = '' } = {}] = (await call(url, 'machines.list')) as readonly { readonly name?: string }[];
  let revision = 0;
  const has = async (): Promise<unknown> => {
    const { profiles } = await given.machine.poll(0, revision);
    revision = profiles?.revision ?? revision;
    return profiles?.documents.map(({ document }) => document);
  };

  await call(url, 'profiles.put', { document: first });
  expect(await has()).toEqual([first]);
  await call(url, 'profiles.put', { document: second, label: 'canary' });
  expect(await has()).toEqual([first]);
  await call(url, 'machines.label', { name, add: ['canary'] });
  expect(await has()).toEqual([second]);
  expect(await call(url, 'profiles.list')).toContainEqual(
    expect.objectContaining({ name: 'sim', staged: { label: 'canary', machines: 1 }, canRollBack: true }),
  );
  // The doctor asks the machine, and waits for one that does not answer.
  await given.machine.connect();
  expect(await call(url, 'doctor.diagnose')).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({
        check: 'profile',
        about: 'sim',
        level: 'warning',
        says: `a change is staged for machines with the label "canary" (1 so far); the others have the former profile`,
      }),
    ]),
  });
  given.machine.cut();
  await call(url, 'profiles.rollback', { name: 'sim' });
  expect(await has()).toEqual([first]);
  await call(url, 'profiles.put', { document: second, label: 'canary' });
  await call(url, 'profiles.adopt', { name: 'sim', label: 'linux' });
  expect(await has()).toEqual([first]);
  await call(url, 'profiles.adopt', { name: 'sim' });
  expect(await has()).toEqual([second]);
  await call(url, 'profiles.rollback', { name: 'sim' });
  expect(await has()).toEqual([first]);
  await expect(call(url, 'profiles.rollback', { name: 'sim' })).rejects.toThrow('nothing to go back to');
  await expect(call(url, 'profiles.adopt', { name: 'sim' })).rejects.toThrow('Nothing is staged');
  await expect(call(url, 'profiles.put', { document: { ...SIM, id: 'mine' }, label: 'canary' })).rejects.toThrow(
    'is new',
  );
});
