/** Two people act on one run at the same time: what both want is done once. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { Run, RunEvent, Stage } from '@drover/core';
import type { Query } from '@drover/protocol';
import { runRow } from '@drover/store/testing';
import type { RunRow } from '@drover/store';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { POLICY } from '../../src/facts/people/causes.ts';
import { flowOf } from '../../src/facts/runs/flows.ts';
import { handleRunEvent } from '../../src/loop/runs/handle.ts';
import { answerQuestion } from '../../src/use-cases/runs/act.ts';
import { planOfRetry, retryRun } from '../../src/use-cases/runs/retry.ts';
import { person } from '../support/actors.ts';
import { contextOf, inMemory, Nature, onPostgres, withWorkers } from '../support/scene.ts';

const ANN = person('ann', { role: 'admin' });
const BEN = person('ben', { role: 'admin' });
const BUDGET = { timeMs: null, tokens: null, money: null };
const PLAN: Stage = {
  kind: 'task',
  name: 'plan',
  role: 'developer',
  profile: null,
  ask: '{{goal}}',
  tries: 1,
  returns: 'parts',
  check: null,
  budget: BUDGET,
};
const GO: Stage = { kind: 'gate', name: 'go', of: 'plan', who: 'operator', budget: BUDGET };
const PARTS = [{ title: 'All', prompt: 'Do it.', paths: ['src'] }];
const PLANNED = { verdict: 'done', summary: 'One.', parts: PARTS, report: '', findings: [], answers: [] } as const;

const STORES: [string, typeof inMemory][] = [
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
];

/** Plays a run until a person must say yes to its plan. */
async function planned(openStore: typeof inMemory) {
  const stored = await openStore();
  const nature = new Nature();
  const plain = contextOf(stored.open(), nature);
  const [worker] = await withWorkers(plain, ['ada']);
  if (worker === undefined) throw new Error('no worker');
  const kept = { kind: 'run-pinned', commit: 'b', tree: 't' } as const;
  const queries: Extract<Query, { readonly run: string }>[] = [];
  // A machine that answers one person late: both ask before one of them begins.
  const bothAsked = Promise.withResolvers<void>();
  const store: typeof plain.store = {
    ...plain.store,
    commandResult: async () => {
      await bothAsked.promise;
      return kept;
    },
    transaction: (work) =>
      plain.store.transaction((tx) => {
        const insertCommands: typeof tx.insertCommands = (commands, now) => {
          for (const { body } of commands) if (body.kind === 'query' && 'run' in body.query) queries.push(body.query);
          if (queries.length > 1) bothAsked.resolve();
          return tx.insertCommands(commands, now);
        };
        return work(Object.create(tx, { insertCommands: { value: insertCommands } }) as typeof tx);
      }),
  };
  const ctx = { ...plain, store };
  const row = runRow(worker);
  const flow = flowOf('change', undefined);
  if (flow.kind === 'refused') throw new Error(flow.message);
  await plain.store.transaction((tx) =>
    tx.keepFlow({ digest: row.flow, name: row.flowName, text: flow.text, createdAt: 1 }),
  );
  const { terms } = row.state;
  const at = { item: 'plan', attempt: 1, workerId: worker.id };
  let state = newRun({ ...terms, flow: { ...terms.flow, stages: [PLAN, GO] } });
  const hear = (event: RunEvent): void => {
    state = decideRun(state, event, { now: nature.now, random: 0, policy: DEFAULT_POLICY }).run;
  };
  hear({ kind: 'requested' });
  hear({ kind: 'placed', request: requestIn(state), ...at, name: 'ada', profile: 'claude', account: null });
  const before = state;
  const ended = {
    kind: 'task-ended',
    ...at,
    end: { kind: 'result', result: PLANNED, commit: null, base: 'b' },
  } as const;
  hear(ended);
  return {
    ctx,
    nature,
    queries,
    before,
    ended,
    row: { ...row, state },
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}

function requestIn({ stages }: Run): string {
  const progress = stages[0]?.items[0]?.progress;
  return progress !== undefined && 'request' in progress ? progress.request : '';
}

test.each(STORES)(
  '%s: given a plan that waits, when two people answer it at once, then the first answer counts, and the other person is told',
  async (_, openStore) => {
    await using scene = await planned(openStore);
    const { ctx, nature, row } = scene;
    await ctx.store.transaction((tx) => tx.insertRun(row));

    const outcomes = await Promise.all([
      answerQuestion(ctx, { id: row.id, option: 'start', requestId: nature.uuid() }, ANN),
      answerQuestion(ctx, { id: row.id, option: 'stop', requestId: nature.uuid() }, BEN),
    ]);

    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['ok', 'refused']);
    expect(outcomes.find(({ kind }) => kind === 'refused')).toMatchObject({ code: 'stale' });
    const events = await ctx.store.listRunEvents(row.id, { after: 0, limit: 10 });
    expect(events.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
  },
);

test.each(STORES)(
  '%s: given a run that was stopped, when two people try it again at once, then it is tried once, and the other person is told as what',
  async (_, openStore) => {
    await using scene = await planned(openStore);
    const { ctx, nature, queries, row } = scene;
    const stopped: RunRow = { ...row, state: { ...row.state, status: 'stopped' }, status: 'stopped', endedAt: 1 };
    await ctx.store.transaction((tx) => tx.insertRun(stopped));
    const waiters = { commands: new Waiters(), events: new Waiters() };
    const again = (by: typeof ANN) => retryRun(ctx, waiters, { asked: { id: row.id, requestId: nature.uuid() }, by });

    const both = await Promise.all([again(ANN), again(BEN)]);
    const third = await again(BEN);

    const open = await ctx.store.listRuns({ open: true, limit: 10 });
    expect(open.map(({ state }) => state.terms.retryOf)).toEqual([row.id]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['ok', 'refused']);
    for (const one of [...both.filter(({ kind }) => kind === 'refused'), third])
      expect(one).toMatchObject({
        code: 'tried-already',
        message: expect.stringContaining('is being tried again already, as'),
      });
    expect(await planOfRetry(ctx, { id: row.id, requestId: nature.uuid() }, BEN)).toMatchObject({ kind: 'ok' });

    // The machine kept the commits for both before one was refused.
    const [begun] = open;
    const of = (kind: string) => queries.flatMap((query) => (query.kind === kind ? [query.run] : []));
    expect(of('run-base')).toHaveLength(2);
    expect(of('run-base').filter((run) => !of('run-forget').includes(run))).toEqual([begun?.id]);
  },
);

test('given a plan, when a person is asked about it, then the question names the run once, beside its title', async () => {
  await using scene = await planned(inMemory);
  const { ctx, row, before, ended } = scene;
  await ctx.store.transaction((tx) => tx.insertRun({ ...row, state: before }));

  await ctx.store.transaction((tx) =>
    handleRunEvent(ctx, tx, { runId: row.id, id: 'ended', event: ended, by: POLICY }),
  );

  const asked = await ctx.store.listEscalations({ open: true, limit: 10 });
  expect(asked.map(({ workerName, title }) => `${workerName}: ${title}`)).toEqual([
    expect.stringMatching(/^run [0-9a-f]{8}: go: (?!.*run)/u),
  ]);
});
