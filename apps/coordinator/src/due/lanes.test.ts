/** Rows of different owners run side by side; rows of one owner do not. */
import type { DueWork } from '@drover/store';
import { expect, test } from 'vitest';
import { LANES, sideBySide } from './lanes.ts';

const deadline = (worker: string, name: string): DueWork => ({
  kind: 'worker-deadline',
  key: `${worker}:${name}`,
  workerId: worker,
  dueAt: 1,
  payload: {},
});

const request = (kind: string, id: string): DueWork => ({
  kind: 'run-request',
  key: `r1 ${id}`,
  dueAt: 1,
  payload: { runId: 'r1', request: { kind, id } },
});

/** Does the rows; each lasts until all rows that may run beside it have begun. */
async function played(rows: readonly DueWork[]): Promise<{ sequence: readonly string[]; most: readonly string[] }> {
  const sequence: string[] = [];
  const now = new Set<string>();
  let most: readonly string[] = [];
  await sideBySide(rows, async ({ key }) => {
    sequence.push(key);
    now.add(key);
    if (now.size > most.length) most = [...now];
    for (let turn = 0; turn < rows.length; turn += 1) await Promise.resolve();
    now.delete(key);
  });
  return { sequence, most };
}

test('given rows of many workers, when they are done, then as many at once as there are lanes', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => deadline(`w${index}`, 'check'));

  const { sequence, most } = await played(rows);

  expect(sequence).toEqual(rows.map(({ key }) => key));
  expect(most).toHaveLength(LANES);
});

test('given several rows of one worker among others, when they are done, then its own come one after the other', async () => {
  const event: DueWork = { kind: 'worker-event', key: 'w1:account', workerId: 'w1', dueAt: 1, payload: {} };

  const { sequence, most } = await played([deadline('w1', 'check'), deadline('w2', 'check'), event]);

  expect(sequence).toEqual(['w1:check', 'w2:check', 'w1:account']);
  expect(most).toEqual(['w1:check', 'w2:check']);
});

test('given an item to place and a worker to free of one run, when they are done, then neither waits for the other', async () => {
  const { most } = await played([request('release', 'r1:1'), request('start', 'r1:2'), request('pin', 'r1:3')]);

  expect(most).toEqual(['r1 r1:1', 'r1 r1:2']);
});
