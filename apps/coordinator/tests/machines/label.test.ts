/** Labels of a machine: two people change them at once, and make typing mistakes. */
import { LABELS_MAX } from '@drover/api';
import type { MachineFleet } from '@drover/api';
import { expect, test } from 'vitest';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { emptied, MIA } from '../support/placing.ts';

type Change = Omit<Parameters<MachineFleet['labelMachine']>[0], 'name'>;

async function given() {
  const { ctx } = await emptied();
  const fleet = createMachineFleet(ctx);
  const label = (change: Change) => fleet.labelMachine({ name: 'honest', ...change }, MIA);
  const labels = async (): Promise<readonly string[] | undefined> =>
    (await fleet.listMachines(MIA)).find(({ name }) => name === 'honest')?.labels;
  return { label, labels };
}

test('given a machine with labels, when two people change them at once, then both changes count', async () => {
  const { label, labels } = await given();
  await label({ labels: ['fast', 'old'] });

  await Promise.all([label({ add: ['gpu'] }), label({ add: ['linux'], remove: ['old'] }), label({ capacity: 3 })]);

  expect(await labels()).toEqual(['fast', 'gpu', 'linux']);
});

test('given a label that a machine does not have, when it is to lose it, then it is said which it has, and nothing changes', async () => {
  const { label, labels } = await given();
  await label({ labels: ['gpu'] });

  const mistaken = await label({ add: ['fast'], remove: ['gpuu'], capacity: 1 });

  expect(mistaken).toEqual({
    kind: 'refused',
    code: 'not-labelled',
    message: '"honest" does not have the label gpuu; it has: gpu',
  });
  expect(await labels()).toEqual(['gpu']);
});

test('given as many labels as a machine may have, when it is to get one more, then it is refused', async () => {
  const { label, labels } = await given();
  const all = Array.from({ length: LABELS_MAX }, (_, index) => `label-${index}`);
  await label({ labels: all });

  const more = await label({ add: ['one-more'] });
  await label({ add: ['one-more'], remove: ['label-0'] });

  expect(more).toMatchObject({ kind: 'refused', message: `A machine may have at most ${LABELS_MAX} labels` });
  expect(await labels()).toHaveLength(LABELS_MAX);
  expect(await labels()).toContain('one-more');
});
