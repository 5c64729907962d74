/** Tests messages about accepted work that is stuck. */
import type { WorkerView } from '@drover/api';
import { expect, test } from 'vitest';
import { trainText } from './merge-text.ts';
import { workerSeen } from '@drover/api/testing';

test('given a merge on a machine that is not heard, when the train is shown, then each that waits for it is told so, with its age', () => {
  const workers: readonly WorkerView[] = [
    workerSeen({ name: 'cal', accepting: 'building', heldUp: 'its machine "server" is suspect' }),
    workerSeen({
      name: 'ann',
      accepting: 'waiting',
      note: 'committed "x"',
      heldUp: '"cal" goes first, whose machine "server" is suspect',
    }),
    workerSeen({ name: 'eve', accepting: 'waiting', project: 'other', note: 'committed "y"' }),
  ];

  const text = trainText(workers, 31 * 60_000);

  expect(text).toMatch(/1 {2}cal: building \(31m ago\); its machine "server" is suspect/u);
  expect(text).toMatch(/waits {2}ann: .*; "cal" goes first, whose machine "server" is suspect/u);
  expect(text).toMatch(/waits {2}eve: committed "y" \(31m ago\)$/u);
});
