/**
 * A machine with three hundred workers is lost: one card, and one call for each step. X5: folded questions call no person beside the one that
 * they are folded into.
 */
import { expect, test } from 'vitest';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { withPlaces } from '../support/calls.ts';
import { ANN, OPEN, open4 } from '../support/questions.ts';
import { asks, decided, inMemory } from '../support/scene.ts';

test('X5: given many workers on one lost machine, when each asks, then people see one card with one call, and one answer is for all', async () => {
  const names = Array.from({ length: 300 }, (__, index) => `w${index}`);
  await using scene = await withPlaces(inMemory, names, { repeat: 0 });
  const { ctx, workers, nature, pass } = scene;

  for (const row of workers) {
    const incident = nature.uuid();
    await decided(ctx, row.id, { records: [asks(incident, 'MACHINE_LOST')], patch: open4(incident) });
  }
  await pass(4_000);

  const open300 = await listEscalations(ctx, OPEN, ANN);
  expect(open300.map(({ title }) => title)).toEqual([`300 workers on machine "laptop" lost`]);
  const all = await listEscalations(ctx, { all: true, limit: 300 }, ANN);
  const shown = await Promise.all(all.map(({ id }) => ctx.store.listDeliveries(id)));
  expect(shown.flat()).toMatchObject([{ channel: 'slack', pingsWanted: 1 }]);
  const [{ id } = { id: '' }] = open300;
  const answer = { id, option: 'retry', asked: 1, requestId: nature.uuid() };
  expect(await resolveEscalation(ctx, answer, ANN)).toMatchObject({ kind: 'ok', value: { status: 'resolved' } });
  expect(await listEscalations(ctx, OPEN, ANN)).toEqual([]);
});
