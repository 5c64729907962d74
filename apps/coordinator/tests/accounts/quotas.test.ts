/** Rest of the limits of accounts, from the report of a machine to the words that people read. On both stores. */
import { describe, expect, test } from 'vitest';
import type { Observation } from '@drover/protocol';
import { tellPayment } from '../../src/facts/machines/payment.ts';
import { EVERYTHING } from '../../src/facts/workers/find.ts';
import { listAccounts } from '../../src/use-cases/accounts/list.ts';
import { takeObservations } from '../../src/use-cases/machines/observe.ts';
import { contextOf, inMemory, Nature, onPostgres, sayHello, withWorkers } from '../support/scene.ts';
import type { Stored } from '../support/scene.ts';

const HOUR = 3_600_000;
const BUFFER = '01900000-0000-7000-a000-000000000001';

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('what is left, %s', (_, open) => {
  test('given two workers of one account, when both programs tell, then the newest counts, late news does not, and all is said with its age', async () => {
    await using scene = await sceneOf(open);
    const { nature, tell, accounts } = scene;
    nature.now += HOUR;

    await tell({ worker: 'w0', at: nature.now - 120_000, usedPercent: 40 }, { worker: 'w1', usedPercent: 42 });
    await tell({ worker: 'w0', at: nature.now - 60_000, usedPercent: 41 });
    nature.now += 180_000;

    expect(await accounts()).toEqual([
      ['claude/team', ['w0', 'w1'], '58 % of the 5 h limit is left (resets in 57 min), as of 3 min ago'],
    ]);
    expect(await scene.payment()).toBe(
      'by the account "team" of drover.toml, which is open: 58 % of the 5 h limit is left (resets in 57 min), as of 3 min ago; "spare" is open',
    );
  });

  test('given a report on an account that the worker has left, or from a clock that is ahead, when it comes, then it changes nothing, or counts as of now', async () => {
    await using scene = await sceneOf(open);
    const { nature, tell, accounts } = scene;

    await tell({ worker: 'w0', account: 'spare', usedPercent: 99 });
    expect(await accounts()).toEqual([['claude/team', ['w0', 'w1'], 'what is left is not known']]);
    await tell({ worker: 'w0', at: nature.now + HOUR / 2, usedPercent: 10 });

    expect(await accounts()).toEqual([
      ['claude/team', ['w0', 'w1'], '90 % of the 5 h limit is left (resets in 60 min), as of now'],
    ]);
  });

  test('given a caller of another project, when it lists accounts, then it sees none that pays for nobody in its own', async () => {
    await using scene = await sceneOf(open);
    await scene.tell({ worker: 'w0', usedPercent: 10 });

    expect(await listAccounts(scene.ctx, { project: 'another', worker: null })).toEqual([]);
  });
});

interface Told {
  readonly worker: string;
  readonly usedPercent: number;
  readonly at?: number;
  readonly account?: string;
}

async function sceneOf(open: () => Promise<Stored>) {
  const stored = await open();
  const nature = new Nature();
  const accounts = ['team', 'spare'];
  const ctx = contextOf(stored.open(), nature, () => ({ program: 'claude', account: null, accounts }));
  const [first, second] = await withWorkers(ctx, ['w0', 'w1']);
  if (first === undefined || second === undefined) throw new Error('There is no worker');
  await sayHello(ctx, first, BUFFER);
  let seq = 0;
  return {
    ctx,
    nature,
    tell: async (...told: readonly Told[]): Promise<void> => {
      const machine = await ctx.store.readMachine(first.machineId);
      if (machine === null) throw new Error('There is no machine');
      const observations = told.map(({ worker, usedPercent, at = nature.now, account = null }): Observation => {
        seq += 1;
        const windows = [{ name: '5 h', usedPercent, resetsAt: nature.now + HOUR, at }];
        const workerId = worker === 'w0' ? first.id : second.id;
        return { seq, at, body: { kind: 'quota', workerId, account, quota: { windows } } };
      });
      expect(await takeObservations(ctx, machine, { agentEpoch: BUFFER, observations })).toBe('taken');
    },
    accounts: async () =>
      (await listAccounts(ctx, EVERYTHING)).map(({ key, pays, left }) => [key, pays, left] as const),
    payment: async () => {
      const known = await ctx.store.listAccounts();
      return tellPayment(ctx, first, { known, now: nature.now, machine: undefined, project: undefined });
    },
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}
