/** Ten workers of one account hit its limit: one worker probes, then all continue. On both stores, with two replicas. */
import type { WorkerRow } from '@drover/store';
import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../src/facts/workers/find.ts';
import { accountNews, accountWoke } from '../../src/loop/subjects/accounts.ts';
import { listAccounts } from '../../src/use-cases/accounts/list.ts';
import type { Context } from '../../src/context/context.ts';
import { contextOf, decided, inMemory, Nature, onPostgres, withPolicy, withWorkers } from '../support/scene.ts';
import type { Stored } from '../support/scene.ts';

const HOUR = 3_600_000;
const NAMES = Array.from({ length: 10 }, (_, index) => `w${index}`);

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('an account shared by ten workers, %s', (_, open) => {
  test('given one hit with a reset, when it is heard, then all ten are paused until then and none is probed before', async () => {
    await using scene = await accounts(open);
    const { ctx, workers, nature } = scene;

    await hit(ctx, scene.first, nature.now + HOUR);
    const told = await hear(ctx);
    nature.now += HOUR - 1;
    const early = await hear(ctx);

    expect(told).toEqual(Object.fromEntries(NAMES.map((name) => [name, 'paused'])));
    expect(early).toEqual({});
    expect(workers).toHaveLength(10);
    expect(await listAccounts(ctx, EVERYTHING)).toMatchObject([
      { key: 'claude@laptop', state: 'paused', stated: true, waiting: ['w0'] },
    ]);
  });

  test('given [policy] with other waits, when the account wakes and a probe says nothing, then its own numbers hold', async () => {
    await using scene = await accounts(open);
    const { ctx, nature } = scene;
    await withPolicy(ctx, { account: { unknownReset: { firstDelayMs: 7_000, jitter: 0 }, probeTimeoutMs: 3_000 } });
    await hit(ctx, scene.first, null);
    await hear(ctx);
    expect(await listAccounts(ctx, EVERYTHING)).toMatchObject([{ state: 'paused', until: nature.now + 7_000 }]);

    nature.now += 7_000;
    await hear(ctx);

    expect(await listAccounts(ctx, EVERYTHING)).toMatchObject([{ state: 'probing', until: nature.now + 3_000 }]);
  });

  test('given a paused account, when its time has come, then exactly one worker is probed', async () => {
    await using scene = await accounts(open);
    const { ctx, nature } = scene;
    await hit(ctx, scene.first, nature.now + HOUR);
    await hear(ctx);

    nature.now += HOUR;
    const told = await hear(ctx);

    expect(Object.values(told).filter((state) => state === 'probe')).toHaveLength(1);
    expect(told['w0']).toBe('probe');
  });

  test('given a good probe, when it is heard, then those who waited go on first, then the others, each in its turn', async () => {
    await using scene = await accounts(open);
    const { ctx, nature, workers } = scene;
    await hit(ctx, scene.first, nature.now + HOUR);
    await hit(ctx, workers[1] ?? scene.first, null);
    nature.now += HOUR;
    await hear(ctx);

    await decided(ctx, scene.first.id, { records: [{ kind: 'account', event: 'answered', resetAt: null }] });
    const turns: Record<string, string>[] = [];
    for (let step = 0; step < 12; step += 1) {
      turns.push(await hear(ctx));
      nature.now += ctx.policy.account.staggerMs;
    }

    expect(turns.flatMap((turn) => Object.keys(turn)).toSorted()).toEqual(NAMES);
    expect(turns.every((turn) => Object.keys(turn).length <= 1)).toBe(true);
    expect(turns[0]).toEqual({ w1: 'open' });
    expect(await listAccounts(ctx, EVERYTHING)).toMatchObject([{ state: 'open' }]);
  });

  test('given two replicas, when ten hits and then both wake at once, then there is one pause and one probe', async () => {
    await using scene = await accounts(open);
    const { ctx, nature, workers } = scene;
    const other = contextOf(scene.stored.open(), nature);
    const replicas = [ctx, other];

    await Promise.all(workers.map((row, index) => hit(replicas[index % 2] ?? ctx, row, nature.now + HOUR)));
    nature.now += HOUR;
    const key = `claude@${scene.first.machineId}`;
    await Promise.all(replicas.map((one) => one.store.transaction((tx) => accountWoke(one, tx, key))));
    const told = await hear(ctx);

    expect(Object.keys(told).toSorted()).toEqual(NAMES);
    expect(Object.values(told).filter((state) => state === 'probe')).toHaveLength(1);
    const [account] = await listAccounts(ctx, EVERYTHING);
    expect(account?.waiting).toHaveLength(9);
  });

  test('given a probe that is removed, when it is gone, then the next worker is probed at once', async () => {
    await using scene = await accounts(open);
    const { ctx, nature, workers } = scene;
    for (const row of workers.slice(0, 2)) await hit(ctx, row, nature.now + HOUR);
    nature.now += HOUR;
    await hear(ctx);

    const patch = { account: { kind: 'probe', until: null } } as const;
    await decided(ctx, scene.first.id, { records: [], patch });
    await decided(ctx, scene.first.id, { records: [{ kind: 'gone' }], patch });
    const told = await hear(ctx);

    expect(told['w1']).toBe('probe');
    expect(told).not.toHaveProperty('w0');
  });

  test('given a worker that hit the limit and is removed before it heard of the pause, when the time has come, then no worker waits for it', async () => {
    await using scene = await accounts(open);
    const { ctx, nature } = scene;
    await hit(ctx, scene.first, nature.now + HOUR);

    await decided(ctx, scene.first.id, { records: [{ kind: 'gone' }] });
    nature.now += HOUR + ctx.policy.account.staggerMs * NAMES.length;
    await hear(ctx);
    nature.now += ctx.policy.account.staggerMs * NAMES.length;
    await hear(ctx);

    expect(await listAccounts(ctx, EVERYTHING)).toMatchObject([{ state: 'open' }]);
  });

  test('given workers whose profiles name another account, when one hits its limit, then they are left alone', async () => {
    await using stored = await open();
    const nature = new Nature();
    const ctx = contextOf(stored.open(), nature, (profile) => ({ program: 'claude', account: profile }));
    const [first, second] = await withWorkers(ctx, ['w0', 'w1']);
    if (first === undefined || second === undefined) throw new Error('no workers');
    await decided(ctx, second.id, { records: [] });
    await ctx.store.transaction(async (tx) => {
      const row = await tx.lockWorker(second.id);
      if (row !== null) await tx.saveWorker({ ...row, options: { ...row.options, profile: 'other' } }, 1);
    });

    await hit(ctx, first, null);

    expect(await hear(ctx)).toEqual({ w0: 'paused' });
    expect(await listAccounts(ctx, EVERYTHING)).toMatchObject([
      { key: 'claude/claude', state: 'paused', stated: false, pays: ['w0'] },
      { key: 'claude/other', state: 'open', pays: ['w1'] },
    ]);
  });
});

async function accounts(open: () => Promise<Stored>) {
  const stored = await open();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const workers = await withWorkers(ctx, NAMES);
  const [first] = workers;
  if (first === undefined) throw new Error('no workers');
  return { stored, nature, ctx, workers, first, [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose]() };
}

function hit(ctx: Context, { id }: WorkerRow, resetAt: number | null): Promise<void> {
  return decided(ctx, id, { records: [{ kind: 'account', event: 'limit-hit', resetAt }] });
}

/** Does due work, as the loop does. @returns the last news of each worker that was told something. */
async function hear(ctx: Context): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (;;) {
    const due = await ctx.store.claimDueWork(ctx.clock.now(), { limit: 50, leaseMs: 1 });
    if (due.length === 0) return told;
    for (const work of due) {
      await ctx.store.transaction(async (tx) => {
        await tx.finishDueWork(work);
        if (work.kind === 'account') return void (await accountWoke(ctx, tx, work.key));
        if (work.kind !== 'worker-event') return undefined;
        const row = await tx.lockWorker(work.key.split(':')[0] ?? '');
        if (row !== null) told[row.name] = (await accountNews(ctx, tx, row)).state;
        return undefined;
      });
    }
  }
}
