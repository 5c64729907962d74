/** What is told of accepted work that does not go on. */
import type { WorkerView } from '@drover/api';
import { expect, test } from 'vitest';
import { heldUp, trainText } from './train-text.ts';
import { workerSeen } from '../../testing/worker-seen.ts';

const AWAY = { machine: 'server', machineState: 'suspect' } as const;

test('given a merge on a machine that is not heard, when the train is shown, then each that waits for it is told so', () => {
  const workers: readonly WorkerView[] = [
    workerSeen({ name: 'cal', accepting: 'candidate', ...AWAY }),
    workerSeen({ name: 'ann', accepting: 'waiting', note: 'committed "x"' }),
    workerSeen({ name: 'eve', accepting: 'waiting', project: 'other', note: 'committed "y"' }),
  ];

  const text = trainText(workers, 0);

  expect(text).toMatch(/1 {2}cal: candidate .*; its machine "server" is suspect/u);
  expect(text).toMatch(/waits {2}ann: .*; "cal" goes first, whose machine "server" is suspect/u);
  expect(text).toMatch(/waits {2}eve: committed "y" \([^)]*\)$/u);
});

test.each([
  ['work that is not accepted', { accepting: null, ...AWAY }],
  ['a machine that is heard', { accepting: 'validate' }],
] as const)('given %s, then nothing holds it up', (_what, change) => {
  const worker = workerSeen(change);

  expect(heldUp(worker, [worker])).toBeNull();
});
