/** Tests the message of a waiting command when its coordinator goes away. */
import type { WorkerView } from '@drover/api';
import { expect, test } from 'vitest';
import type { Surroundings } from '../../surroundings.ts';
import { follow } from './by-name.ts';

const ADAM = { id: 'a', project: 'shop', name: 'adam', status: 'needs_review' } as WorkerView;

test('given a coordinator that goes away, when a command waits for what it asked, then it says that this goes on', async () => {
  let asked = 0;
  const surroundings = {
    environment: { url: 'https://localhost:1', token: 't' },
    paths: null,
    worker: null,
    terminal: { err: () => {} },
    now: () => 0,
    sleep: async () => {},
    http: async () => {
      asked += 1;
      if (asked > 1) throw new Error('connect ECONNREFUSED');
      return { status: 200, ok: true, json: async () => ({ result: { data: [ADAM] } }) };
    },
  } as unknown as Surroundings;

  const following = follow(surroundings, ADAM, { isDone: () => false, patienceMs: 1_000 });

  await expect(following).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(
      /does not answer .*\n.*Drover has saved your request for "adam" and continues it when the coordinator runs: see "drover why adam"/u,
    ),
  });
  expect(asked).toBeGreaterThan(1);
});
