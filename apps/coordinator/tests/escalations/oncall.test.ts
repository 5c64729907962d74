/**
 * Calls about a question, with the rows of the store: X5 to X7 and X9. `core/oncall` proves each call and its time; these tests prove
 * that it is made once, in the transaction of its cause.
 */
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations, showEscalation } from '../../src/use-cases/escalations/escalations.ts';
import { respond } from '../../src/use-cases/escalations/respond.ts';
import type { Said } from '../../src/use-cases/escalations/respond.ts';
import { called, withPlaces } from '../support/calls.ts';
import { ANN, BEN, OPEN, open4 } from '../support/questions.ts';
import { asks, decided, inMemory } from '../support/scene.ts';

const MINUTE = 60_000;

test('X5, X6: given two steps, when no person answers, then each place is called once, and the first in the transaction that asks', async () => {
  await using scene = await called(inMemory, { repeat: 0 });
  const { pass, pings } = scene;
  expect(await pings()).toEqual({ 'slack:C012': 1 });

  await pass(9 * MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 1 });
  await pass(MINUTE);
  await pass(300 * MINUTE);

  expect(await pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
});

test('X7: given a person who looks, when the next step is due, then no place is called; later they are reminded, and then it is open again', async () => {
  await using scene = await called(inMemory, { repeat: 0 });
  const { ctx, pass, pings, say } = scene;
  await say({ kind: 'ack' });

  await pass(10 * MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 1 });
  await pass(20 * MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 2 });
  await pass(10 * MINUTE);

  expect(await listEscalations(ctx, OPEN, ANN)).toMatchObject([{ status: 'open', ackedBy: null }]);
  expect(await pings()).toEqual({ 'slack:C012': 3 });
});

test('X7: given an answer, when steps, reminders and defaults were due, then nothing comes any more', async () => {
  await using scene = await called(inMemory, { timeout: { afterMs: 60 * MINUTE, answer: 'skip' } });
  const { ctx, id, nature, pass, pings } = scene;

  await resolveEscalation(ctx, { id, option: 'retry', asked: 1, requestId: nature.uuid() }, ANN);
  await pass(600 * MINUTE);

  expect(await pings()).toEqual({ 'slack:C012': 1 });
  expect(await shown(ctx, id)).toMatchObject({ status: 'resolved', resolution: { by: 'ann' }, nextStepAt: null });
});

test('X7: given a step that is due and not carried out yet, when an answer is decided first, then nobody is called about it', async () => {
  await using scene = await called(inMemory, {});
  const { ctx, first, incident, nature, pings } = scene;

  nature.now += 10 * MINUTE;
  const noted = { kind: 'answer-applied', incident, application: 'pending' } as const;
  await decided(ctx, first.id, { records: [noted], patch: open4(incident) });

  expect(await pings()).toEqual({ 'slack:C012': 1 });
});

test('given a snooze, when it ends, then the steps begin again, and meanwhile anybody may answer', async () => {
  await using scene = await called(inMemory, {});
  const { ctx, id, nature, pass, pings, say } = scene;
  await say({ kind: 'snooze', forMs: 120 * MINUTE });
  expect(await shown(ctx, id)).toMatchObject({ status: 'open', snoozedUntil: nature.now + 120 * MINUTE });

  await pass(119 * MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 1 });
  await pass(MINUTE);

  expect(await pings()).toEqual({ 'slack:C012': 2 });
  expect(await shown(ctx, id)).toMatchObject({ snoozedUntil: null });
  await say({ kind: 'snooze', forMs: MINUTE });
  const answer = { id, option: 'retry', asked: 1, requestId: nature.uuid() };
  expect(await resolveEscalation(ctx, answer, ANN)).toMatchObject({ kind: 'ok' });
});

test('given a person who wants others, when they escalate, then the next step calls at once, in that transaction', async () => {
  await using scene = await called(inMemory, {});

  await scene.say({ kind: 'escalate' });

  expect(await scene.pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
});

test('X3: given anything that is said of a question, when it comes again with its id, then it counts once and gets its first reply', async () => {
  await using scene = await called(inMemory, {});
  const { ctx, id, nature, pings } = scene;
  const all: readonly Said[] = [
    { kind: 'comment', text: 'I asked the owner' },
    { kind: 'ack' },
    { kind: 'escalate' },
    { kind: 'snooze', forMs: MINUTE },
  ];

  for (const said of all) {
    const requestId = nature.uuid();
    const first = await respond(ctx, { id, requestId, said }, ANN);
    nature.now += 1_000;
    const other = await respond(ctx, { id, requestId, said: { kind: 'comment', text: 'another' } }, BEN);
    expect(await respond(ctx, { id: id.slice(-8), requestId, said }, ANN)).toEqual(first);
    expect(other).toMatchObject({ code: 'key-reused' });
  }

  const { responses } = await shown(ctx, id);
  expect(responses.map(({ kind, by }) => `${kind} ${by}`)).toEqual([
    'comment person ann',
    'ack person ann',
    'escalate person ann',
    'snooze person ann',
  ]);
  expect(await pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
});

test('given a question that is over, when somebody snoozes or acknowledges it, then they hear who answered; a comment is kept', async () => {
  await using scene = await called(inMemory, {});
  const { ctx, id, nature, say } = scene;
  await resolveEscalation(ctx, { id, option: 'retry', asked: 1, requestId: nature.uuid() }, BEN);

  expect(await say({ kind: 'snooze', forMs: MINUTE })).toMatchObject({ code: 'already-resolved' });
  expect(await say({ kind: 'ack' })).toMatchObject({ message: expect.stringContaining('ben already answered') });
  expect(await say({ kind: 'comment', text: 'thanks' })).toMatchObject({ kind: 'ok', value: { status: 'resolved' } });
});

test('X9: given a default answer, when no person answers in time, then it goes the way of an answer of a person: once, kept, applied', async () => {
  await using scene = await called(inMemory, { timeout: { afterMs: 60 * MINUTE, answer: 'skip' } });
  const { ctx, first, id, pass } = scene;

  await pass(60 * MINUTE);
  await pass(60 * MINUTE);

  const { responses, ...one } = await shown(ctx, id);
  expect(one).toMatchObject({
    status: 'resolved',
    application: 'applied',
    resolution: { option: 'skip', by: 'the timeout' },
  });
  expect(responses).toMatchObject([{ kind: 'answer', by: 'policy', option: 'skip', refused: null }]);
  expect((await ctx.store.readWorker(first.id))?.state.incident.open).toBeNull();
});

test('given a default answer that the question does not have, when its time comes, then it says so and waits for a person', async () => {
  await using scene = await called(inMemory, { timeout: { afterMs: 60 * MINUTE, answer: 'no' } });
  const { ctx, id, pass } = scene;

  await pass(60 * MINUTE);

  expect(await shown(ctx, id)).toMatchObject({
    status: 'open',
    timeoutAt: null,
    responses: [{ kind: 'comment', by: 'policy', text: expect.stringContaining('it waits for a person') }],
  });
});

test('X10: given a project whose questions operators answer, when a responder answers, then that is refused and nothing changes', async () => {
  await using scene = await called(inMemory, { answerRole: 'operator' });
  const { ctx, id, nature } = scene;
  const answer = { id, option: 'retry', asked: 1, requestId: nature.uuid() };

  expect(await resolveEscalation(ctx, answer, ANN)).toMatchObject({ code: 'forbidden' });
  expect(await shown(ctx, id)).toMatchObject({ status: 'open', mayAnswer: 'operator', responses: [] });
  expect(await resolveEscalation(ctx, answer, { ...ANN, role: 'operator' })).toMatchObject({ kind: 'ok' });
});

test('given twelve workers on a lost machine, when their questions fold into one, then one card calls people once', async () => {
  const names = Array.from({ length: 12 }, (__, index) => `w${String(index).padStart(2, '0')}`);
  await using scene = await withPlaces(inMemory, names, { repeat: 0 });
  const { ctx, workers, nature, pass } = scene;
  for (const row of workers) {
    const incident = nature.uuid();
    await decided(ctx, row.id, { records: [asks(incident, 'MACHINE_LOST')], patch: open4(incident) });
    nature.now += 10;
  }

  await pass(3_000);

  const [storm, ...others] = await listEscalations(ctx, OPEN, ANN);
  expect(others).toEqual([]);
  const all = await listEscalations(ctx, { all: true, limit: 100 }, ANN);
  const cards = await Promise.all(all.map(async ({ id }) => (await ctx.store.listDeliveries(id)).map(() => id)));
  expect(cards.flat()).toEqual([storm?.id]);
});

test('given a question that was due while the coordinator was away, when it is back, then one step comes, and the next as far apart as ever', async () => {
  await using scene = await called(inMemory, { repeat: 1 });
  const { pass, pings } = scene;

  await pass(24 * 60 * MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
  await pass(9 * MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 1, 'telegram:7': 1 });
  await pass(MINUTE);
  expect(await pings()).toEqual({ 'slack:C012': 2, 'telegram:7': 1 });
});

async function shown(ctx: Context, id: string) {
  const outcome = await showEscalation(ctx, id, ANN);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.value;
}
