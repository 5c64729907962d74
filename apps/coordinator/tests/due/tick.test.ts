/** A budget limits due work: in a tick of a scheduler, and in a request that does some of it. */
import { changedMethods } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { tickOnce } from '../../src/due/tick.ts';
import type { Mail } from '../../src/context/mailer.ts';
import { withPlaces } from '../support/calls.ts';
import { open4 } from '../support/questions.ts';
import { asks, contextOf, decided, inMemory, Nature, withWorkers } from '../support/scene.ts';

/** More rows than one read takes. */
const WORKERS = 25;
const BATCH = 20;

/** Fakes a clock that advances by `stepMs` whenever it is read. */
function elapsing(stepMs: number): () => number {
  let now = 0;
  return () => (now += stepMs);
}

/** Builds a fleet with a due deadline of every worker. */
async function withDueDeadlines() {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const workers = await withWorkers(
    ctx,
    Array.from({ length: WORKERS }, (_, index) => `w${index}`),
  );
  await ctx.store.transaction(async (tx) => {
    for (const { id } of workers) await tx.setDeadlines(id, { check: nature.now });
  });
  return { ctx, nature, [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose]() };
}

test('given more is due than is taken at once, when the budget is spent, then the rest stays due and is done by the next', async () => {
  await using given = await withDueDeadlines();

  const first = await drainDueWork(given.ctx, { budget: { budgetMs: 100, elapsed: elapsing(60) } });
  const next = await drainDueWork(given.ctx, { budget: { budgetMs: 100, elapsed: elapsing(1) } });

  expect([first, next]).toEqual([BATCH, WORKERS - BATCH]);
});

test('given deadlines that have come, when they are handled, then the row of each worker is read once', async () => {
  await using given = await withDueDeadlines();
  const { store } = given.ctx;
  const locked: string[] = [];
  const counting: typeof store = {
    ...store,
    transaction: (run) =>
      store.transaction((tx) =>
        run(
          changedMethods(tx, {
            lockWorker: (id, where) => {
              locked.push(id);
              return tx.lockWorker(id, where);
            },
          }),
        ),
      ),
  };

  await drainDueWork({ ...given.ctx, store: counting });

  expect([locked.length, new Set(locked).size]).toEqual([WORKERS, WORKERS]);
});

test('given a process that stops, when more is due than is taken at once, then nothing more is begun and nothing is lost', async () => {
  await using given = await withDueDeadlines();
  const stopping = new AbortController();
  const onDecision = (): void => stopping.abort();

  const first = await drainDueWork({ ...given.ctx, onDecision }, { stopping: stopping.signal });

  expect(first).toBe(BATCH);
  expect(await drainDueWork(given.ctx)).toBe(WORKERS - BATCH);
});

test('given no budget at all, when a tick comes, then nothing is begun and nothing is lost', async () => {
  await using given = await withDueDeadlines();

  expect(await drainDueWork(given.ctx, { budget: { budgetMs: 0, elapsed: () => 0 } })).toBe(0);
  expect(await drainDueWork(given.ctx)).toBe(WORKERS);
});

test('given a question for an address, when ticks come, then one that has no time left sends no mail, and the next one sends it', async () => {
  const steps = [{ afterMs: 0, notify: ['email:ada@example.com'] }];
  await using scene = await withPlaces(inMemory, ['adam'], { steps, repeat: 0 });
  const sent: Mail[] = [];
  const mail = { send: (one: Mail) => Promise.resolve(void sent.push(one)) };
  const ctx = { ...scene.ctx, mail };
  const incident = scene.nature.uuid();
  await decided(ctx, scene.workers[0]?.id ?? '', { records: [asks(incident)], patch: open4(incident) });
  const tools = { webhookHosts: [] };

  await tickOnce(ctx, { ...tools, elapsed: elapsing(60) }, 100);
  expect(sent).toEqual([]);
  await tickOnce(ctx, { ...tools, elapsed: () => 0 }, 100);
  await tickOnce(ctx, { ...tools, elapsed: () => 0 }, 100);

  expect(sent.map(({ to }) => to)).toEqual(['ada@example.com']);
});
