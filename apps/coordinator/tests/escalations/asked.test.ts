/**
 * An answer acts once, and only for the asking that it names. X3: the same one again gets its first reply, also after the
 * question opened again. X4: one for another asking changes nothing.
 */
import type { Outcome } from '@drover/api';
import { expect, test } from 'vitest';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations, showEscalation } from '../../src/use-cases/escalations/escalations.ts';
import { respond } from '../../src/use-cases/escalations/respond.ts';
import { ANN, asked, BEN, OPEN, open4 } from '../support/questions.ts';
import { asks, decided, inMemory, QUESTION } from '../support/scene.ts';

test('X3: given an answer whose reply was lost, when it is given again with its id, then it gets the same reply', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const answer = { id, option: 'retry', asked: 1, requestId: nature.uuid() };

  const first = await resolveEscalation(ctx, answer, ANN);
  const second = await resolveEscalation(ctx, { ...answer, id: id.slice(-8) }, ANN);

  expect(second).toEqual(first);
  expect(first).toMatchObject({ kind: 'ok', value: { resolution: { by: 'ann', option: 'retry' } } });
});

test('X4: given a question that is open again, when its first asking is answered, then nothing changes until the new one is', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  await tooLate(scene, 'rejected_stale');
  const again = await showEscalation(ctx, id, ANN);

  const old = await resolveEscalation(ctx, { id, option: 'retry', asked: 1, requestId: nature.uuid() }, BEN);
  const between = await showEscalation(ctx, id, ANN);
  const second = await resolveEscalation(ctx, { id, option: 'retry', asked: 2, requestId: nature.uuid() }, BEN);

  expect(again).toMatchObject({
    value: { status: 'open', asked: 2, application: 'rejected_stale', resolution: null, ackedBy: null },
  });
  const command = `drover answer ${id.slice(-8)} --option retry --asked 2`;
  expect(valueOf(again).commands[0]).toBe(command);
  expect(old).toMatchObject({ code: 'changed', message: expect.stringContaining(command) });
  expect(valueOf(between)).toEqual({ ...valueOf(again), responses: expect.anything() });
  expect(valueOf(between).responses.at(-1)).toMatchObject({ kind: 'answer', by: 'person ben', refused: 'changed' });
  expect(second).toMatchObject({ value: { status: 'resolved', application: 'applied', resolution: { by: 'ben' } } });
});

test('X3: given a question that is open again, when its first answer is delivered again, then it gets its first reply, and the question stays open', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id } = scene;
  const { answer, reply } = await tooLate(scene, 'rejected_stale');
  const again = await showEscalation(ctx, id, ANN);

  const repeated = await resolveEscalation(ctx, answer, ANN);

  expect(repeated).toEqual(reply);
  expect(await showEscalation(ctx, id, ANN)).toEqual(again);
  expect(await listEscalations(ctx, OPEN, ANN)).toMatchObject([{ status: 'open', asked: 2 }]);
});

test('X3: given an answer that lost, when it is delivered again after the question opened again, then it still lost', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, nature } = scene;
  const lost = { id, option: 'retry', asked: 1, requestId: nature.uuid() };
  const { first } = await tooLate(scene, 'rejected_stale', () => resolveEscalation(ctx, lost, BEN));

  const repeated = await resolveEscalation(ctx, lost, BEN);

  expect(first).toMatchObject({ code: 'already-resolved', message: expect.stringContaining('ann already answered') });
  expect(repeated).toEqual(first);
  expect(await listEscalations(ctx, OPEN, ANN)).toHaveLength(1);
});

test('given an option that could not be chosen, when its worker still waits, then the question is open again', async () => {
  await using scene = await asked(inMemory);

  await tooLate(scene, 'failed');

  expect(await listEscalations(scene.ctx, OPEN, ANN)).toMatchObject([{ asked: 2, application: 'failed' }]);
});

test('given an answer that came too late for a dialog that is gone, when its worker waits no more, then the question stays answered', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, first, incident, nature } = scene;
  await resolveEscalation(ctx, { id, option: 'retry', asked: 1, requestId: nature.uuid() }, ANN);

  const stale = { kind: 'answer-applied', incident, application: 'rejected_stale' } as const;
  await decided(ctx, first.id, { records: [stale], patch: { incident: { open: null } } });

  expect(await showEscalation(ctx, id, ANN)).toMatchObject({
    value: { status: 'resolved', asked: 1, application: 'rejected_stale', resolution: { by: 'ann' } },
  });
});

test('X4: given a question, when it is asked again, then it is another asking only if the question changed', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id, first, incident, nature } = scene;

  await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident) });
  const same = await showEscalation(ctx, id, ANN);
  const record = asks(incident);
  const question = { ...QUESTION, body: 'It wants to remove another directory' };
  await decided(ctx, first.id, { records: [{ ...record, question }], patch: open4(incident) });
  const other = await showEscalation(ctx, id, ANN);

  expect(same).toMatchObject({ value: { occurrences: 2, asked: 1 } });
  expect(other).toMatchObject({ value: { occurrences: 3, asked: 2, body: question.body } });
  const late = await resolveEscalation(ctx, { id, option: 'retry', asked: 1, requestId: nature.uuid() }, ANN);
  expect(late).toMatchObject({ code: 'changed' });
});

test('given an id that was used, when another answer comes with it, then that is refused and nothing changes', async () => {
  await using scene = await asked(inMemory);
  const { ctx, id } = scene;
  const { answer } = await tooLate(scene, 'rejected_stale');

  const other = await resolveEscalation(ctx, { ...answer, asked: 2 }, ANN);

  expect(other).toMatchObject({ code: 'key-reused' });
  expect(await showEscalation(ctx, id, ANN)).toMatchObject({ value: { status: 'open' } });
});

test('given a person who looks, when the question opens again, then it waits for somebody to look', async () => {
  await using scene = await asked(inMemory);
  await respond(scene.ctx, { id: scene.id, said: { kind: 'ack' } }, ANN);

  await tooLate(scene, 'rejected_stale');

  expect(await listEscalations(scene.ctx, OPEN, ANN)).toMatchObject([{ status: 'open', ackedBy: null }]);
});

/** Lets ann answer, and the machine report that the answer came to nothing: the worker waits as before. */
async function tooLate<T>(
  { ctx, id, first, incident, nature }: Awaited<ReturnType<typeof asked>>,
  application: 'rejected_stale' | 'failed',
  meanwhile: () => Promise<T | null> = () => Promise.resolve(null),
) {
  const answer = { id, option: 'retry', asked: 1, requestId: nature.uuid() };
  const reply = await resolveEscalation(ctx, answer, ANN);
  const other = await meanwhile();
  const records = [{ kind: 'answer-applied', incident, application }] as const;
  await decided(ctx, first.id, { records, patch: open4(incident) });
  return { answer, reply, first: other };
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.value;
}
