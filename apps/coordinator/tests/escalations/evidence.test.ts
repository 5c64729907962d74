/** Every error and every question shows the last lines of the pane and git's output: their machine is asked for both. */
import { InvariantError } from '@drover/core';
import type { QueryResult } from '@drover/protocol';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { listErrors, showError } from '../../src/use-cases/incidents/errors.ts';
import { takeObservations } from '../../src/use-cases/machines/observe.ts';
import { ANN, OPEN, open4, troubled } from '../support/questions.ts';
import { asks, decided, failed, inMemory, sayHello } from '../support/scene.ts';

const BUFFER = '01900000-0000-7000-8000-ffffffffffff';
const EXIT = { incarnation: '1', status: 3, signal: null, lastLines: [], limit: null, at: 1 } as const;
const broken: Context['onDecision'] = () => {
  throw new InvariantError('two plans at once');
};
const UP = { pane: { kind: 'up', incarnation: '1', since: 1, seen: null } } as const;

test('given a worker that fails while its program lives, when a person is asked, then its machine is asked for the pane, and the question shows it', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const { ctx } = scene;
  const asked = await questionOf(scene);

  await asked.answer({ kind: 'pane', text: 'one\n\n  two tokens left  \n', git: ['## adam', ' M a.txt'] });

  const [question] = await listEscalations(ctx, OPEN, ANN);
  expect(asked.queries).toMatchObject([
    { body: { kind: 'query', query: { kind: 'read-pane', lines: 40, git: true } } },
  ]);
  const shown = { pane: ['one', '  two tokens left  '], gitStatus: ['## adam', ' M a.txt'] };
  expect(question).toMatchObject({ asked: 1, context: shown });
});

test('given a pane that is gone by then, when the machine says so, then the question stays as it was', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const asked = await questionOf(scene);
  const before = await listEscalations(scene.ctx, OPEN, ANN);

  await asked.answer({ kind: 'failed', code: 'pane-gone', message: 'it has no session' });

  expect(await listEscalations(scene.ctx, OPEN, ANN)).toEqual(before);
});

test('given a question that shows the pane, when it is asked again, then it shows the pane still', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const { ctx, first, incident } = scene;
  const asked = await questionOf(scene);
  await asked.answer({ kind: 'pane', text: 'one' });

  await decided(ctx, first.id, { records: [asks(incident)], patch: { ...open4(incident), session: UP } });

  expect(await listEscalations(ctx, OPEN, ANN)).toMatchObject([{ occurrences: 2, context: { pane: ['one'] } }]);
});

test('X4: given an answer that missed its screen, when the question opens again, then the machine is asked once more, and the question shows what is there now', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const { ctx, first, incident } = scene;
  const asked = await questionOf(scene);
  await asked.answer({ kind: 'pane', text: 'Allow ls?', git: ['## adam'] });
  const [before] = await listEscalations(ctx, OPEN, ANN);
  const answer = { id: before?.id ?? '', option: 'retry', asked: 1, requestId: scene.nature.uuid() };
  expect(await resolveEscalation(ctx, answer, ANN)).toMatchObject({ kind: 'ok' });

  const stale = { kind: 'answer-applied', incident, application: 'rejected_stale' } as const;
  await decided(ctx, first.id, { records: [stale], patch: { ...open4(incident), session: UP } });
  const again = await readBack(scene);
  await again.answer({ kind: 'pane', text: 'Allow rm?', git: ['## adam', ' M a.txt'] }, 2);

  expect(again.queries).toMatchObject([{ body: { query: { kind: 'read-pane' } } }]);
  expect(await listEscalations(ctx, OPEN, ANN)).toMatchObject([
    {
      id: before?.id,
      asked: 2,
      application: 'rejected_stale',
      context: { pane: ['Allow rm?'], gitStatus: ['## adam', ' M a.txt'] },
    },
  ]);
});

test('given an error without a question, when its machine answers, then the error shows the pane, git and what was done, without secrets', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const { ctx, first, incident } = scene;
  await sayHello(ctx, first, BUFFER);
  await decided(ctx, first.id, { records: [failed(incident, 'it ended')], patch: { session: UP } });
  const asked = await readBack(scene);

  await asked.answer({
    kind: 'pane',
    text: `last\nghp_${'a'.repeat(36)}`,
    git: ['## adam', `?? ghp_${'b'.repeat(36)}`],
  });

  const [error] = await listErrors(ctx, { all: true, limit: 1 }, ANN);
  const shown = await showError(ctx, error?.id.slice(-8) ?? '', ANN);
  expect(shown).toMatchObject({
    kind: 'ok',
    value: {
      pane: ['last', '[redacted]'],
      git: ['## adam', '?? [redacted]'],
      commands: ['drover why adam', 'drover logs adam', 'drover attach adam'],
    },
  });
});

test('given an observation that the policy cannot judge, when it is set aside as an error, then the error shows the pane too', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const { first } = scene;
  const ctx = { ...scene.ctx, onDecision: broken, log: () => {} };
  await sayHello(ctx, first, BUFFER);
  await decided(scene.ctx, first.id, { records: [], patch: { session: UP } });
  const machine = await ctx.store.readMachine(first.machineId);
  if (machine === null) throw new Error('There is no machine');
  const body = { kind: 'exit', workerId: first.id, exit: EXIT } as const;

  const taken = await takeObservations(ctx, machine, {
    agentEpoch: BUFFER,
    observations: [{ seq: 1, at: 1, body }],
  });
  const asked = await readBack(scene);
  await asked.answer({ kind: 'pane', text: 'the last line', git: ['## adam'] }, 2);

  expect(taken).toBe('taken');
  const [error] = await listErrors(ctx, { all: true, limit: 1 }, ANN);
  expect(await showError(ctx, error?.id ?? '', ANN)).toMatchObject({
    value: { worker: 'adam', pane: ['the last line'], git: ['## adam'] },
  });
});

test('given a machine that is lost, or a worker without a pane, when a person is asked, then no machine is asked for anything', async () => {
  await using scene = await troubled(inMemory, ['adam', 'bea']);
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

/** Builds a question about a worker whose program lives, and the query to its machine. */
async function questionOf(scene: Awaited<ReturnType<typeof troubled>>) {
  const { ctx, first, incident } = scene;
  await sayHello(ctx, first, BUFFER);
  await decided(ctx, first.id, { records: [asks(incident)], patch: { ...open4(incident), session: UP } });
  return readBack(scene);
}

/** Reads the query to the machine, and answers it. */
async function readBack({ ctx, first }: Awaited<ReturnType<typeof troubled>>) {
  const queries = (await ctx.store.takeCommands(first.machineId, 1, 10)).filter(({ body }) => body.kind === 'query');
  const machine = await ctx.store.readMachine(first.machineId);
  if (machine === null) throw new Error('There is no machine');
  return {
    queries,
    answer: async (result: QueryResult, seq = 1): Promise<void> => {
      const commandId = queries[0]?.id ?? '';
      const observation = { seq, at: 1, body: { kind: 'answer', commandId, result } } as const;
      expect(await takeObservations(ctx, machine, { agentEpoch: BUFFER, observations: [observation] })).toBe('taken');
    },
  };
}
