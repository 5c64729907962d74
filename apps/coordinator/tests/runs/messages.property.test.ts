/** W12: a message of a run arrives once, or its sender is told, whatever happens to the worker that was to get it. On a store in memory. */
import { runOf, unreadTexts } from '@drover/core';
import type { Worker } from '@drover/core';
import { diceFrom, likelyEvent, moodFrom, working } from '@drover/core/testing';
import { runRow } from '@drover/store/testing';
import type { RunMessageRow, RunRow, WorkerRow } from '@drover/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { POLICY } from '../../src/facts/people/causes.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { sendMessage } from '../../src/loop/runs/messages.ts';
import { contextOf, inMemory, Nature, withWorkers } from '../support/scene.ts';

const EVENTS = 50;
/** Events of a move, for which there is no other machine here. */
const MOVES = /^(?:move|carriage|place)/u;

test('given a worker to which anything happens, when messages are sent to it, then each waits to be read, was delivered, or is told to be lost', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      await using stored = await inMemory();
      const nature = new Nature();
      const ctx = contextOf(stored.open(), nature);
      const { run, worker } = await atRunTask(ctx);
      const dice = diceFrom(seed);
      const mood = moodFrom(dice);
      for (let count = 0; count < EVENTS; count += 1) {
        nature.now += 1 + Math.floor(dice.next() * 20_000);
        const row = await ctx.store.readWorker(worker.id);
        if (row === null) break;
        if (dice.chance(0.25) && runOf(row.state.task) !== null) await send(ctx, run, row);
        const event = likelyEvent({ worker: row.state, now: nature.now, dice, mood });
        if (MOVES.test(event.kind)) continue;
        await ctx.store.transaction((tx) => handleEvent(ctx, tx, { workerId: worker.id, event, by: POLICY }));
        for (const message of await check(ctx, run, worker)) seen.add(message.state);
      }
    }),
    { numRuns: 25 },
  );
  // Otherwise the property says nothing.
  expect([...seen].toSorted()).toEqual(expect.arrayContaining(['delivered', 'expired', 'queued']));
});

test('given a message that waits, when its worker is removed, then it has expired', async () => {
  await using stored = await inMemory();
  const ctx = contextOf(stored.open(), new Nature());
  const { run, worker } = await atRunTask(ctx);
  await send(ctx, run, worker);
  const command = { kind: 'remove', force: true, task: null } as const;
  const inFlight = { seq: 1, command, since: 1, dueAt: 9, overdue: 0 };
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(worker.id);
    if (row === null) return;
    const lifecycle = { ...row.state.lifecycle, wanted: 'gone-by-force' } as const;
    const state: Worker = { ...row.state, lifecycle, command: { ...row.state.command, seq: 1, inFlight } };
    await tx.saveWorker({ ...row, state }, ctx.clock.now());
  });

  const event = { kind: 'command-finished', seq: 1, result: { kind: 'removed', kept: null } } as const;
  await ctx.store.transaction((tx) => handleEvent(ctx, tx, { workerId: worker.id, event, by: POLICY }));

  expect(await ctx.store.readWorker(worker.id)).toBeNull();
  expect(await ctx.store.listRunMessages(run.id, 9)).toMatchObject([{ state: 'expired' }]);
});

/** Puts a worker at the task of a run. */
async function atRunTask(ctx: Context): Promise<{ readonly run: RunRow; readonly worker: WorkerRow }> {
  const [worker] = await withWorkers(ctx, ['bea']);
  if (worker === undefined) throw new Error('no worker');
  const run = runRow(worker);
  const { worker: state } = working();
  if (state.task.kind !== 'in-hand') throw new Error('no task');
  const item = { runId: run.id, item: 'build', attempt: 1, returns: 'commit' } as const;
  const held = { ...item, phase: 'open', takenAt: null, answered: false, asked: 0, isLast: false } as const;
  const task: Worker['task'] = { ...state.task, run: held };
  await ctx.store.transaction(async (tx) => {
    await tx.insertRun(run);
    const row = await tx.lockWorker(worker.id);
    if (row !== null) await tx.saveWorker({ ...row, state: { ...state, task } }, ctx.clock.now());
  });
  return { run, worker };
}

async function send(ctx: Context, { id: runId }: RunRow, { id: workerId, name }: WorkerRow): Promise<void> {
  const id = ctx.ids.uuid();
  const text = `words ${id}`;
  const message = { id, runId, from: 'ada', to: { workerId, name }, words: text, text, grantsNothing: true };
  await ctx.store.transaction((tx) => sendMessage(ctx, tx, message));
}

/** Compares the receipts with the mailbox. */
async function check(ctx: Context, { id }: RunRow, worker: WorkerRow): Promise<readonly RunMessageRow[]> {
  const messages = await ctx.store.listRunMessages(id, 1_000);
  const row = await ctx.store.readWorker(worker.id);
  const unread = new Set(row === null ? [] : unreadTexts(row.state).map((text) => text.id));
  const queued = messages.filter(({ state }) => state === 'queued');
  expect(queued.filter((message) => !unread.has(message.id))).toEqual([]);
  return messages;
}
