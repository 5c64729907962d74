/** Work at which worker after worker fails: the failure that leads to a question, and the possible answers. On a store in memory. */
import { inHand } from '@drover/core';
import type { DecisionRecord } from '@drover/core';
import { expect, test } from 'vitest';
import { createEscalationFleet } from '../../src/use-cases/escalations/fleet.ts';
import { takeItem } from '../../src/use-cases/queue/take.ts';
import { emptied, MIA } from '../support/placing.ts';
import { asks, decided, incidentOf } from '../support/scene.ts';

const REASSIGNED: DecisionRecord = {
  kind: 'queued',
  priority: 'S1',
  title: 'do it',
  body: 'do it',
  class: 'reassigned',
  dedupe: 'task:t',
};

async function fleet() {
  const given = await emptied();
  const { ctx, queue, rowOf, idle, start } = given;

  /** Lets recovery give the task of this worker to another one. */
  async function reassign(name: string): Promise<void> {
    const { id, state } = rowOf(name);
    const task = inHand(state.task)?.id ?? '';
    await decided(ctx, id, { records: [REASSIGNED, { kind: 'task', id: task, status: 'failed' }] });
    await decided(ctx, id, { records: [], patch: { task: { kind: 'none' }, lifecycle: { status: 'error' } } });
  }

  const items = () => queue.listQueue({ all: true, limit: 9, after: undefined }, MIA);
  const asked = async () =>
    (await ctx.store.listEscalations({ open: true, limit: 9 })).filter(({ title }) => title.startsWith('Work item'));
  const take = () => ctx.store.transaction((tx) => takeItem(ctx, tx));

  /** Lets two workers fail at the same task of a person. */
  async function spent() {
    await idle('adam');
    await start();
    await reassign('adam');
    await idle('bea');
    await take();
    await reassign('bea');
    const [question] = await asked();
    if (question === undefined) throw new Error('No person is asked');
    return question;
  }

  const answer = (question: { id: string; asked: number }, option: string) =>
    createEscalationFleet(ctx).resolveEscalation(
      { requestId: given.id(), id: question.id, asked: question.asked, option },
      MIA,
    );
  return { ...given, reassign, items, asked, take, spent, answer };
}

test('given a task of a person that recovery hands over, when its second worker hands it over too, then no third one gets it, and a person is asked once', async () => {
  const { idle, start, reassign, items, asked, take, rowOf } = await fleet();
  await idle('adam');
  await start();
  await reassign('adam');
  expect(await items()).toMatchObject([{ status: 'open', failures: 1, waitsFor: null }]);
  expect(await asked()).toEqual([]);
  await idle('bea');
  await take();
  await reassign('bea');

  await idle('carl');
  await take();

  expect(rowOf('carl').state.task.kind).toBe('none');
  expect(await items()).toMatchObject([{ status: 'open', failures: 2, waitsFor: 'person' }]);
  expect(await asked()).toMatchObject([{ title: 'Work item failed 2 times: do it' }]);
});

test.each([
  ['item-retry', { status: 'open', failures: 0, waitsFor: null }],
  ['item-drop', { status: 'dropped' }],
])(
  'given an item that waits for a person, when they answer %j, then the queue does that, and says who did',
  async (option, item) => {
    const { ctx, items, asked, spent, answer } = await fleet();
    const question = await spent();

    expect(await answer(question, option)).toMatchObject({ kind: 'ok', value: { status: 'resolved' } });

    expect(await items()).toMatchObject([item]);
    expect(await asked()).toEqual([]);
    const audit = await ctx.store.listAudit({ actor: 'person mia', limit: 99 });
    expect(audit[0]?.body).toContain(option === 'item-retry' ? 'queue-retried' : 'queue-dropped');
  },
);

test('given two people who answer for the same item, when the second answer is decided, then only the first counts', async () => {
  const { items, spent, answer } = await fleet();
  const question = await spent();
  await answer(question, 'item-drop');

  expect(await answer(question, 'item-retry')).toMatchObject({ kind: 'refused' });

  expect(await items()).toMatchObject([{ status: 'dropped' }]);
});

test('given an item that waits for a person, when the worker that failed last is removed, then they are still asked, and can still answer', async () => {
  const { ctx, items, asked, spent, answer, rowOf } = await fleet();
  const question = await spent();
  await decided(ctx, rowOf('bea').id, { records: [{ kind: 'gone' }] });

  expect(await asked()).toMatchObject([{ id: question.id }]);
  expect(await answer(question, 'item-retry')).toMatchObject({ kind: 'ok' });

  expect(await items()).toMatchObject([{ status: 'open', failures: 0 }]);
});

test('given a worker with an item of the queue, when a person answers "skip" to its question, then no other worker gets the item', async () => {
  const { ctx, idle, queue, id, items, take, answer, rowOf } = await fleet();
  await queue.addToQueue({ requestId: id(), priority: 'S2', prompt: 'do it' }, MIA);
  await idle('adam');
  await take();
  const incident = id();
  const options = [{ id: 'skip', label: 'End the task', needsText: false }];
  const asking = asks(incident);
  const open = incidentOf(incident, { level: 4, escalated: true, options });
  await decided(ctx, rowOf('adam').id, {
    records: [{ ...asking, question: { ...asking.question, options } }],
    patch: { incident: { open }, lifecycle: { status: 'error' } },
  });
  const [question] = (await ctx.store.listEscalations({ open: true, limit: 9 })).filter(
    ({ incidentId }) => incidentId === incident,
  );

  expect(await answer({ id: question?.id ?? '', asked: 1 }, 'skip')).toMatchObject({ kind: 'ok' });

  expect(await items()).toMatchObject([{ status: 'dropped' }]);
  await idle('bea');
  await take();
  expect(rowOf('bea').state.task.kind).toBe('none');
});
