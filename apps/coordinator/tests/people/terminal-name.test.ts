/** On a laptop the token of "drover up" is named by a number: people read the person's name instead, and the audit keeps the token. */
import { expect, test } from 'vitest';
import { createEscalationFleet } from '../../src/use-cases/escalations/fleet.ts';
import { person } from '../support/actors.ts';
import { asked } from '../support/questions.ts';
import { inMemory } from '../support/scene.ts';

test('given the token of a laptop, when its person looks at a question and answers it, then cards name the person, and the audit the token', async () => {
  await using scene = await asked(inMemory);
  const { id, nature } = scene;
  const ctx = { ...scene.ctx, startToken: 'local:4cfed46c', startPerson: 'ada at the terminal' };
  const fleet = createEscalationFleet(ctx);
  const [here, elsewhere] = [person('local:4cfed46c'), person('ben')];

  await fleet.ackEscalation({ id, requestId: nature.uuid() }, here);
  const looked = await ctx.store.readEscalation(id);
  await fleet.snoozeEscalation({ id, requestId: nature.uuid(), forMs: 60_000 }, here);
  await fleet.ackEscalation({ id, requestId: nature.uuid() }, elsewhere);
  const other = await ctx.store.readEscalation(id);
  await fleet.resolveEscalation({ id, requestId: nature.uuid(), option: 'retry', asked: 1 }, here);
  const answered = await ctx.store.readEscalation(id);

  expect([looked?.ackedBy, other?.ackedBy]).toEqual(['ada at the terminal', 'ben']);
  expect(answered?.resolution).toMatchObject({ by: 'ada at the terminal', actor: { name: 'local:4cfed46c' } });
});
