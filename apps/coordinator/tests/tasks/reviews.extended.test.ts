/** Accepts without a look, by the name of a commit, asked again, and together. */
import { DEFAULT_POLICY } from '@drover/core';
import { expect, test } from 'vitest';
import { call, callAs, newId, until, WORK } from '../support/coordinator.ts';
import { commandsOf, inReview, inReviewWith } from '../support/in-review.ts';

test('given work that somebody else has reviewed, when it is accepted or rejected without a look, then it is refused and said how to go on', async () => {
  await using given = await inReview('adam');
  const { url, as } = given;
  const [vic, ann] = [await as('vic', 'viewer'), await as('ann', 'operator')];
  await callAs({ url, token: vic }, 'workers.review', {});

  const ask = (path: string, input: object): Promise<unknown> =>
    callAs({ url, token: ann }, path, { requestId: newId(), ...input });

  await expect(ask('workers.accept', { name: 'adam' })).rejects.toThrow(
    'not-reviewed: adam: you have not reviewed its work: run "drover review adam" first, or name the commit that you reviewed: "drover accept adam --head COMMIT"',
  );
  const none = 'which-worker: 1 worker waits for review, and you have reviewed none of them';
  await expect(ask('workers.accept', {})).rejects.toThrow(none);
  await expect(ask('workers.reject', { text: 'no' })).rejects.toThrow(none);
  expect(commandsOf(given, 'rebase')).toHaveLength(0);
});

test('given a whole name of a commit, when nothing was reviewed, then the machine is asked for exactly that', async () => {
  await using given = await inReview('adam');
  const { url } = given;

  await call(url, 'workers.accept', { requestId: newId(), name: 'adam', head: WORK.head });
  await until(url, 'adam', 'idle');

  expect(commandsOf(given, 'candidate').at(-1)).toMatchObject({ at: { head: WORK.head, tree: null } });
});

test('given an accept that is asked again after its review is gone, when the same request comes, then it is answered as then', async () => {
  await using given = await inReview('adam');
  const { url } = given;
  const id = newId();
  await call(url, 'workers.review', {});
  await call(url, 'workers.accept', { requestId: id });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'and more' });
  await until(url, 'adam', 'needs_review');

  const again = await call(url, 'workers.accept', { requestId: id });

  expect(again).toMatchObject({ worker: { name: 'adam' } });
  await expect(call(url, 'workers.accept', { requestId: newId(), name: 'adam' })).rejects.toThrow('not-reviewed: ');
});

test('given three accepted by one request beside one that is not there, when the first takes its turn, then both others come along in their order', async () => {
  // Nothing waits for a train: work that comes along was accepted at the same moment.
  await using given = await inReviewWith({ policy: { ...DEFAULT_POLICY, trainGatherMs: 0 } }, ['adam', 'bea', 'cal']);
  const { url } = given;
  for (const name of ['adam', 'bea', 'cal']) await call(url, 'workers.review', { name });
  const items = ['cal', 'zoe', 'adam', 'bea'].map((name) => ({ requestId: newId(), name }));

  const answers = await call(url, 'workers.acceptTogether', { items });
  const again = await call(url, 'workers.acceptTogether', { items });
  for (const name of ['adam', 'bea', 'cal']) await until(url, name, 'idle');

  const missing = { kind: 'refused', code: 'not-found', message: expect.stringContaining('zoe') };
  const expected = [accepted('cal'), missing, accepted('adam'), accepted('bea')];
  expect(answers).toMatchObject(expected);
  expect(again).toMatchObject(expected);
  expect(commandsOf(given, 'extend')).toMatchObject([{ items: [{ worker: 'adam' }, { worker: 'bea' }] }]);
  expect(commandsOf(given, 'publish')).toHaveLength(1);
});

function accepted(name: string): object {
  return { kind: 'accepted', worker: { name } };
}
