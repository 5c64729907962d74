/** A yes to a run is bound to the commit that this person was shown. On a store in memory. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { RunEvent, Stage } from '@drover/core';
import type { QueryResult } from '@drover/protocol';
import { runRow } from '@drover/store/testing';
import type { RunRow } from '@drover/store';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { Waiters } from '../../src/context/waiters.ts';
import { acceptRun, noteReview, reviewRun } from '../../src/use-cases/runs/review.ts';
import { person } from '../support/actors.ts';
import { contextOf, inMemory, Nature, withWorkers } from '../support/scene.ts';

const ANN = person('ann', { role: 'operator' });
const BEN = person('ben', { role: 'operator' });
const FIRST = 'a'.repeat(40);
const SECOND = 'b'.repeat(40);

/** Plays a run until it asks for a yes to this commit. */
async function asking(commit: string) {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const [worker] = await withWorkers(ctx, ['ada']);
  if (worker === undefined) throw new Error('no worker');
  const plain = runRow(worker);
  const { terms } = plain.state;
  let state = newRun({ ...terms, flow: { ...terms.flow, stages: [BUILD, MERGE] } });
  const hear = (event: RunEvent): void => {
    state = decideRun(state, event, { now: nature.now, random: 0, policy: DEFAULT_POLICY }).run;
  };
  const request = (): string => {
    const progress = state.stages[0]?.items[0]?.progress;
    return progress !== undefined && 'request' in progress ? progress.request : '';
  };
  const at = { item: 'build', attempt: 1, workerId: worker.id };
  hear({ kind: 'requested' });
  hear({ kind: 'placed', request: request(), ...at, name: 'ada', profile: 'claude', account: null });
  hear({ kind: 'task-ended', ...at, end: { kind: 'result', result: DONE, commit, base: 'b' } });
  hear({ kind: 'pinned', request: request(), commit, tree: 't' });
  const row: RunRow = { ...plain, state };
  await ctx.store.transaction((tx) => tx.insertRun(row));
  return { ctx, nature, row, [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose]() };
}

const BUDGET = { timeMs: null, tokens: null, money: null };
const WORK = { role: 'developer', profile: null, ask: '{{goal}}', tries: 1, returns: 'commit', check: null } as const;
const BUILD: Stage = { kind: 'task', name: 'build', ...WORK, budget: BUDGET };
const MERGE: Stage = { kind: 'accept', name: 'merge', of: 'build', budget: BUDGET };
const DONE = { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [] } as const;

/** Context in which the machine answers every question at once. */
function answering(ctx: Context, answer: QueryResult): Context {
  return { ...ctx, store: { ...ctx.store, commandResult: () => Promise.resolve(answer) } };
}

const STANDING = { workedAt: 1, base: 'b', basedAt: 1, behind: 0, upstream: null };
const SHOWN = { text: '', head: FIRST, tree: 't', base: 'b', commits: [], notes: [], standing: STANDING };
const DIFF: QueryResult = { kind: 'diff', ...SHOWN };

test('given a commit that a person has reviewed, when they accept, then it is merged; a repeated request is the same', async () => {
  await using scene = await asking(FIRST);
  const { ctx, row, nature } = scene;
  await noteReview(ctx, row, { by: ANN, commit: FIRST, question: 'q1' });
  const input = { id: row.id, requestId: nature.uuid() };

  const outcome = await acceptRun(ctx, input, ANN);
  const again = await acceptRun(ctx, input, ANN);

  expect([outcome.kind, again.kind]).toEqual(['ok', 'ok']);
  expect((await ctx.store.readRun(row.id))?.state.stages[1]?.items[0]?.progress).toMatchObject({ kind: 'accepting' });
});

test.each([
  ['nobody has looked', undefined, undefined, 'you have not reviewed it'],
  ['another person has looked', { by: BEN, commit: FIRST, question: 'q1' }, undefined, 'you have not reviewed it'],
  [
    'they saw an earlier commit',
    { by: ANN, commit: SECOND, question: 'q1' },
    undefined,
    'another commit than bbbbbbbbbbbb',
  ],
  ['they name another commit', { by: ANN, commit: FIRST, question: 'q1' }, 'bbbbbbb', 'another commit than bbbbbbb'],
])(
  'given that %s, when a person accepts, then nothing is merged and they are told to look',
  async (_, seen, head, why) => {
    await using scene = await asking(FIRST);
    const { ctx, row, nature } = scene;
    if (seen !== undefined) await noteReview(ctx, row, seen);

    const outcome = await acceptRun(ctx, { id: row.id, requestId: nature.uuid(), head }, ANN);

    expect(outcome).toMatchObject({ kind: 'refused', code: 'not-reviewed', message: expect.stringContaining(why) });
    expect((await ctx.store.readRun(row.id))?.state.questions).toHaveLength(1);
  },
);

test('given a person who names the commit, when they accept without a review here, then it is merged', async () => {
  await using scene = await asking(FIRST);
  const { ctx, row, nature } = scene;
  expect(await acceptRun(ctx, { id: row.id, requestId: nature.uuid(), head: FIRST }, ANN)).toMatchObject({
    kind: 'ok',
  });
});

test('given a list of files, when a person has seen no more, then the commit counts as seen only after its diff', async () => {
  await using scene = await asking(FIRST);
  const { row } = scene;
  const ctx = answering(scene.ctx, DIFF);
  const waiters = { commands: new Waiters(), events: new Waiters() };

  expect(await reviewRun(ctx, waiters, { id: row.id, stat: true, by: ANN })).toMatchObject({ kind: 'ok' });
  expect((await ctx.store.readRun(row.id))?.state.reviewed).toBeUndefined();

  await reviewRun(ctx, waiters, { id: row.id, stat: false, by: ANN });
  expect((await ctx.store.readRun(row.id))?.state.reviewed).toEqual({ [ANN.id]: FIRST });
});

test('given a commit that comes again after another one, when a person looks at each, then the one that they saw last counts', async () => {
  await using scene = await asking(FIRST);
  const { ctx, row } = scene;

  for (const [question, commit] of [
    ['q1', FIRST],
    ['q2', SECOND],
    ['q3', FIRST],
  ] as const)
    await noteReview(ctx, row, { by: ANN, commit, question });

  expect((await ctx.store.readRun(row.id))?.state.reviewed).toEqual({ [ANN.id]: FIRST });
});
