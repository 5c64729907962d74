/** Every question about a pane shows its last lines: where the event brought none, the machine is asked. On both stores. */
import type { QueryResult } from '@drover/protocol';
import { describe, expect, test } from 'vitest';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { takeObservation } from '../../src/use-cases/machines/observe.ts';
import { ANN, OPEN, open4, troubled } from '../support/questions.ts';
import { asks, decided, inMemory, onPostgres, sayHello } from '../support/scene.ts';

const BUFFER = '01900000-0000-7000-8000-ffffffffffff';
const UP = { pane: { kind: 'up', incarnation: '1', since: 1, seen: null } } as const;

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('the pane of a question, %s', (_, open) => {
  test('given a worker that fails while its program lives, when a person is asked, then its machine is asked for the pane, and the question shows it', async () => {
    await using scene = await troubled(open, ['adam']);
    const { ctx } = scene;
    const asked = await questionOf(scene);

    await asked.answer({ kind: 'pane', text: 'one\n\n  two tokens left  \n' });

    const [question] = await listEscalations(ctx, OPEN, ANN);
    expect(asked.queries).toMatchObject([{ body: { kind: 'query', query: { kind: 'read-pane', lines: 40 } } }]);
    expect(question).toMatchObject({ asked: 1, context: { pane: ['one', '  two tokens left  '] } });
  });

  test('given a pane that is gone by then, when the machine says so, then the question stays as it was', async () => {
    await using scene = await troubled(open, ['adam']);
    const asked = await questionOf(scene);
    const before = await listEscalations(scene.ctx, OPEN, ANN);

    await asked.answer({ kind: 'failed', code: 'pane-gone', message: 'it has no session' });

    expect(await listEscalations(scene.ctx, OPEN, ANN)).toEqual(before);
  });

  test('given a question that shows the pane, when it is asked again, then it shows the pane still', async () => {
    await using scene = await troubled(open, ['adam']);
    const { ctx, first, incident } = scene;
    const asked = await questionOf(scene);
    await asked.answer({ kind: 'pane', text: 'one' });

    await decided(ctx, first.id, { records: [asks(incident)], patch: { ...open4(incident), session: UP } });

    expect(await listEscalations(ctx, OPEN, ANN)).toMatchObject([{ occurrences: 2, context: { pane: ['one'] } }]);
  });

  test('given a machine that is lost, or a worker without a pane, when a person is asked, then no machine is asked for anything', async () => {
    await using scene = await troubled(open, ['adam', 'bea']);
    const { ctx, workers, nature, first } = scene;
    await sayHello(ctx, first, BUFFER);
    const [lost, none] = [nature.uuid(), nature.uuid()];

    await decided(ctx, first.id, {
      records: [asks(lost, 'MACHINE_LOST')],
      patch: { ...open4(lost), session: UP },
    });
    await decided(ctx, workers[1]?.id ?? '', { records: [asks(none)], patch: open4(none) });

    expect(await ctx.store.takeCommands(first.machineId, 1, 10)).toEqual([]);
  });
});

/** A question about a worker whose program lives, and what its machine is asked. */
async function questionOf({ ctx, first, incident }: Awaited<ReturnType<typeof troubled>>) {
  await sayHello(ctx, first, BUFFER);
  await decided(ctx, first.id, { records: [asks(incident)], patch: { ...open4(incident), session: UP } });
  const queries = await ctx.store.takeCommands(first.machineId, 1, 10);
  const machine = await ctx.store.readMachine(first.machineId);
  if (machine === null) throw new Error('There is no machine');
  return {
    queries,
    answer: async (result: QueryResult): Promise<void> => {
      const commandId = queries[0]?.id ?? '';
      const observation = { seq: 1, at: 1, body: { kind: 'answer', commandId, result } } as const;
      expect(await takeObservation(ctx, machine, { agentEpoch: BUFFER, observation })).toBe('taken');
    },
  };
}
