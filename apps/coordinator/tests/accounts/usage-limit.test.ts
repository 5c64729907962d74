/** A usage limit on the screen of one of ten workers, with the real policy: the others are left alone, one tries, all continue. */
import { newWorker, seenOf } from '@drover/core';
import type { AgentState, CommandResult, Worker, WorkerEvent } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import type { Context } from '../../src/context/context.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { contextOf, inMemory, Nature, neverHeard, withWorkers } from '../support/scene.ts';

/** Milliseconds to the reset: short, so that the test is. */
const WAIT = 600_000;
const NAMES = Array.from({ length: 10 }, (_, index) => `w${index}`);
const EMPTY = { kind: 'empty' } as const;
const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };

test('given ten workers of one account at their tasks, when one hits its limit, then nothing is typed until one tries, and then all go on', async () => {
  await using scene = await atWork();
  const { ctx, nature, workers } = scene;
  const [first, second] = workers;
  if (first === undefined || second === undefined) throw new Error('no workers');

  for (const row of [first, second]) await see(ctx, row, limit('resets in 10 minutes'));
  await drainDueWork(ctx);
  const paused = await states(ctx);
  await pass(ctx, nature, WAIT - 5_000);
  const typedEarly = await typed(ctx, workers);
  await pass(ctx, nature, 10_000);
  const probing = await states(ctx);
  const typedByProbe = await typed(ctx, workers);
  for (const words of ['new words', 'more words']) await seeProgress(ctx, first, { state: BUSY, progress: words });
  await pass(ctx, nature, 30_000);

  expect(Object.values(paused)).toEqual(NAMES.map(() => 'paused'));
  expect(typedEarly).toEqual([]);
  expect(Object.entries(probing).filter(([, state]) => state === 'probe')).toEqual([['w0', 'probe']]);
  expect(typedByProbe).toEqual(['w0']);
  expect(Object.values(await states(ctx))).toEqual(NAMES.map(() => 'open'));
  expect((await typed(ctx, workers)).toSorted()).toEqual(['w0', 'w1']);
  expect((await ctx.store.listAccounts())[0]?.state.kind).toBe('open');
});

test("given the program's own offer to wait, when the profile accepts it, then the account waits until the reset behind it and all go on", async () => {
  await using scene = await atWork();
  const { ctx, nature, workers } = scene;
  const [first] = workers;
  if (first === undefined) throw new Error('no workers');

  await see(ctx, first, OFFER);
  await drainDueWork(ctx);
  const paused = await states(ctx);
  await carryOutAll(ctx);
  await see(ctx, first, limit('10 minutes'));
  const [account] = await ctx.store.listAccounts();
  await pass(ctx, nature, WAIT - 5_000);
  const typedEarly = await typed(ctx, workers);
  await pass(ctx, nature, 10_000);
  for (const words of ['new words', 'more words']) await seeProgress(ctx, first, { state: BUSY, progress: words });
  await pass(ctx, nature, 30_000);

  expect(Object.values(paused)).toEqual(NAMES.map(() => 'paused'));
  expect(account?.state).toMatchObject({ kind: 'paused', statedResetAt: expect.any(Number), failedProbes: 0 });
  expect(typedEarly).toEqual([]);
  expect(Object.values(await states(ctx))).toEqual(NAMES.map(() => 'open'));
  expect(await typed(ctx, workers)).toEqual(['w0']);
  const after = (await ctx.store.listWorkers()).find(({ id }) => id === first.id);
  expect(after?.state).toMatchObject({ lifecycle: { status: 'working' }, incident: { trouble: null } });
});

test('given a probe that hits the limit again, when it does, then the account waits on and no other worker is tried', async () => {
  await using scene = await atWork();
  const { ctx, nature, workers } = scene;
  const [first] = workers;
  if (first === undefined) throw new Error('no workers');
  await see(ctx, first, limit('resets in 10 minutes'));
  await pass(ctx, nature, WAIT + 5_000);

  await see(ctx, first, limit('resets in 20 minutes'));
  await pass(ctx, nature, WAIT);

  const [account] = await ctx.store.listAccounts();
  expect(account?.state).toMatchObject({ kind: 'paused', failedProbes: 1 });
  expect(Object.values(await states(ctx))).toEqual(NAMES.map(() => 'paused'));
});

const OFFER: AgentState = {
  kind: 'dialog',
  dialog: {
    kind: 'limit',
    title: 'What do you want to do?',
    body: '',
    options: [
      { label: 'Stop and wait for limit to reset', highlighted: true },
      { label: 'Upgrade your plan', highlighted: false },
    ],
  },
};

function limit(resets: string): AgentState {
  const text = 'You have hit your limit';
  return { kind: 'error', error: 'usage-limit', recoverable: false, text, resets, composer: EMPTY };
}

async function atWork() {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  await withWorkers(ctx, NAMES);
  await ctx.store.transaction(async (tx) => {
    for (const row of await tx.listWorkers({})) {
      await tx.saveWorker({ ...row, state: { ...row.state, ...working(nature.now) } }, nature.now);
      await tx.setDeadlines(row.id, {});
    }
  });
  const workers = await ctx.store.listWorkers();
  for (const row of workers.slice(0, 1)) await ctx.store.touchMachine(neverHeard(row), nature.now + 10 * WAIT);
  return { ctx, nature, workers, [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose]() };
}

function working(now: number): Partial<Worker> {
  const task = { id: '01900000-0000-7000-b000-000000000001', prompt: 'p', text: 'p', startedAt: now };
  const { lifecycle, worktree, session, turn } = newWorker();
  return {
    lifecycle: { ...lifecycle, status: 'working', before: 'working' },
    worktree: { ...worktree, place: { kind: 'ready', base: 'a' } },
    session: {
      ...session,
      pane: { kind: 'up', incarnation: '1', since: now, seen: null },
      conversation: { id: 'c', used: true },
    },
    task: { kind: 'in-hand', ...task, headBefore: 'a', taken: true, attempts: 0 },
    turn: { ...turn, phase: { kind: 'running', since: now }, progress: { mark: 'begun', at: now, nudges: 0 } },
  };
}

/** Sends a screen from the machine. */
async function see(ctx: Context, row: WorkerRow, state: AgentState): Promise<void> {
  await seeProgress(ctx, row, { state, progress: 'begun' });
}

async function seeProgress(
  ctx: Context,
  { id }: WorkerRow,
  { state, progress }: { readonly state: AgentState; readonly progress: string },
): Promise<void> {
  const at = ctx.clock.now();
  const reading = { at, state, fingerprint: `${state.kind} ${at}`, progress, rule: 'test' };
  await hear(ctx, id, { kind: 'screen-seen', incarnation: '1', reading });
}

async function hear(ctx: Context, workerId: string, event: WorkerEvent): Promise<void> {
  await ctx.store.transaction((tx) => handleEvent(ctx, tx, { workerId, event, by: { kind: 'policy' } }));
}

/** Lets time pass, does due work, and lets the machine carry out each command. */
async function pass(ctx: Context, nature: Nature, ms: number): Promise<void> {
  const end = nature.now + ms;
  while (nature.now < end) {
    const next = await ctx.store.nextDueAt(nature.now);
    nature.now = Math.min(end, Math.max(nature.now + 1_000, next ?? end));
    await drainDueWork(ctx);
    await carryOutAll(ctx);
  }
}

async function carryOutAll(ctx: Context): Promise<void> {
  for (const row of await ctx.store.listWorkers()) await carryOut(ctx, row);
}

/** Carries out commands: looks show the screen as it is; texts are taken, and worked on. */
async function carryOut(ctx: Context, row: WorkerRow): Promise<void> {
  const { id, state } = row;
  const { inFlight } = state.command;
  const seen = seenOf(state.session);
  if (inFlight === null) return;
  const git = { head: 'a', ahead: 0, dirty: 0, subject: '', rebasing: false, unmerged: 0 };
  const at = ctx.clock.now();
  const receipt = { evidence: [], steps: [], method: 'paste', bytes: 1, enters: 1 };
  const result: CommandResult =
    inFlight.command.kind === 'deliver'
      ? { kind: 'delivered', at, receipt }
      : inFlight.command.kind === 'answer'
        ? { kind: 'answered', label: 'Stop and wait for limit to reset' }
        : inFlight.command.kind === 'checkpoint'
          ? { kind: 'checkpointed', commit: null, head: 'a', dirty: 0 }
          : { kind: 'observed', incarnation: '1', screen: seen === null ? null : { ...seen, at }, git, delivery: null };
  await hear(ctx, id, { kind: 'command-finished', seq: inFlight.seq, result });
  if (inFlight.command.kind === 'deliver') await see(ctx, row, BUSY);
}

async function states(ctx: Context): Promise<Record<string, string>> {
  const workers = await ctx.store.listWorkers();
  return Object.fromEntries(workers.map(({ name, state }) => [name, state.account.kind]));
}

/** Names the workers whose agents got a text. */
async function typed(ctx: Context, workers: readonly WorkerRow[]): Promise<readonly string[]> {
  const events = await ctx.store.listEvents({ limit: 500 });
  const names = events.filter(({ rules }) => rules.includes('command:deliver')).map(({ workerName }) => workerName);
  return workers.map(({ name }) => name).filter((name) => names.includes(name));
}
