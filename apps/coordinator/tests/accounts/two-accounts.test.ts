/** A fleet of ten with two accounts: at a limit those between tasks change the account, those in a turn wait. */
import { newWorker } from '@drover/core';
import type { Worker } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { tellAccounts } from '../../src/facts/machines/payment.ts';
import { fleetNow, handsIn } from '../../src/facts/placement/spots.ts';
import { workerSettings } from '../../src/facts/workers/settings.ts';
import { contextOf, decided, inMemory, Nature, withWorkers } from '../support/scene.ts';

const HOUR = 3_600_000;
const NAMES = Array.from({ length: 10 }, (_, index) => `w${index}`);
const BUSY: readonly string[] = NAMES.slice(0, 5);
const FREE: readonly string[] = NAMES.slice(5);

test('given five workers at their tasks and five without, when the first account hits its limit, then the five without are paid by the second, and the others wait', async () => {
  await using fleet = await fleetOf();

  await fleet.hit('w0', HOUR);

  expect(await fleet.payers()).toEqual({ ...of(BUSY, 'work paused'), ...of(FREE, 'home open') });
  const [free] = (await fleet.rows()).filter(({ name }) => name === 'w5');
  const [project] = await fleet.ctx.store.listProjects();
  if (free === undefined || project === undefined) throw new Error('no worker');
  expect(workerSettings(free, { ...project, root: '/r', elsewhere: false })).toMatchObject({ account: 'home' });
  // Its agent starts again, with a conversation that the other account does not know.
  expect(free.state.command.inFlight?.command).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
  const hands = handsIn(fleet.ctx, await fleetNow(fleet.ctx), await fleet.rows());
  expect(hands.map(({ paused }) => paused)).toEqual(NAMES.map(() => null));
  const known = await fleet.ctx.store.listAccounts();
  expect(tellAccounts(fleet.ctx, free, { known, now: fleet.nature.now })).toMatch(
    /^by the account "home" of drover.toml, which is open; "work" is at its limit for another \d+ \w+/u,
  );
});

test('given both accounts at their limits, when one opens again, then workers without a task go to it, whichever they waited for', async () => {
  await using fleet = await fleetOf();
  await fleet.hit('w0', HOUR);
  await fleet.hit('w5', 3 * HOUR);
  expect(await fleet.payers()).toEqual({ ...of(BUSY, 'work paused'), ...of(FREE, 'home paused') });

  await fleet.answered('w0', HOUR);

  expect(await fleet.payers()).toEqual({ ...of(BUSY, 'work open'), ...of(FREE, 'work open') });
});

test('given a worker whose account its configuration names no longer, when it is paid, then the first one of its profile pays', async () => {
  await using fleet = await fleetOf();
  const [row] = await fleet.rows();
  if (row === undefined) throw new Error('no worker');

  const said = tellAccounts(
    fleet.ctx,
    { ...row, options: { ...row.options, account: 'gone' } },
    { known: [], now: fleet.nature.now },
  );

  expect(said).toBe('by the account "work" of drover.toml, which is open; "home" is open');
});

/** A worker whose agent is up: in a turn of its task, or without a task. */
function standing(isBusy: boolean, now: number): Partial<Worker> {
  const { lifecycle, worktree, session, turn, task } = newWorker();
  const status = isBusy ? 'working' : 'idle';
  const given = { id: '01900000-0000-7000-b000-000000000001', prompt: 'p', text: 'p', startedAt: now };
  return {
    lifecycle: { ...lifecycle, wanted: 'up', status, before: status },
    worktree: { ...worktree, place: { kind: 'ready', base: 'a' } },
    session: {
      ...session,
      pane: { kind: 'up', incarnation: '1', since: now, seen: null },
      conversation: { id: 'c', used: true },
    },
    task: isBusy ? { kind: 'in-hand', ...given, headBefore: 'a', taken: true, attempts: 0 } : task,
    turn: isBusy ? { ...turn, phase: { kind: 'running', since: now } } : turn,
  };
}

function of(names: readonly string[], what: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, what]));
}

async function fleetOf() {
  const stored = await inMemory();
  const nature = new Nature();
  const accounts = ['work', 'home'];
  const ctx = contextOf(stored.open(), nature, (profile) => ({ program: profile, account: null, accounts }));
  await withWorkers(ctx, NAMES);
  await ctx.store.transaction(async (tx) => {
    for (const row of await tx.listWorkers({})) {
      const state = { ...row.state, ...standing(BUSY.includes(row.name), nature.now) };
      await tx.saveWorker({ ...row, state }, nature.now);
    }
  });
  const rows = () => ctx.store.listWorkers();
  const named = async (name: string): Promise<WorkerRow> => {
    const found = (await rows()).find((row) => row.name === name);
    if (found === undefined) throw new Error(`There is no worker "${name}"`);
    return found;
  };
  const settle = async (ms: number): Promise<void> => {
    for (const end = nature.now + ms; nature.now <= end; nature.now += ctx.policy.account.staggerMs)
      await drainDueWork(ctx);
  };
  return {
    ctx,
    nature,
    rows,
    /** A worker sees that its account is at a limit. */
    hit: async (name: string, ms: number): Promise<void> => {
      const entry = { kind: 'account', event: 'limit-hit', resetAt: nature.now + ms } as const;
      await decided(ctx, (await named(name)).id, { records: [entry] });
      await settle(60_000);
    },
    /** The account of a worker answers it, after the limit has reset. */
    answered: async (name: string, ms: number): Promise<void> => {
      nature.now += ms;
      await settle(60_000);
      const entry = { kind: 'account', event: 'answered', resetAt: null } as const;
      await decided(ctx, (await named(name)).id, { records: [entry], patch: { account: { kind: 'open' } } });
      await settle(NAMES.length * ctx.policy.account.staggerMs * 2);
    },
    payers: async (): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(
        (await rows()).map(({ name, options, state }) => [name, `${options.account ?? 'work'} ${state.account.kind}`]),
      ),
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}
