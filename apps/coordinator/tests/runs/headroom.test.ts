/** Before a plan starts, a person reads what is left of the accounts that would pay: on the card, and in every view. On a store in memory. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { RunEvent, Stage } from '@drover/core';
import { runRow } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { accountKeyOf } from '../../src/context/account-key.ts';
import { POLICY } from '../../src/facts/people/causes.ts';
import { handleRunEvent } from '../../src/loop/runs/handle.ts';
import { shown } from '../../src/use-cases/runs/start.ts';
import { contextOf, inMemory, Nature, withWorkers } from '../support/scene.ts';

const HOUR = 3_600_000;
const WORK = { role: 'developer', profile: null, ask: '{{goal}}', tries: 1, check: null } as const;
const BUDGET = { timeMs: null, tokens: null, money: null };
const STAGES: readonly Stage[] = [
  { kind: 'task', name: 'plan', ...WORK, returns: 'parts', budget: BUDGET },
  { kind: 'gate', name: 'go', of: 'plan', who: 'operator', budget: BUDGET },
];
const PARTS = [{ title: 'All', prompt: 'Do it.', paths: ['src'] }];
const PLANNED = { verdict: 'done', summary: 'One.', parts: PARTS, report: '', findings: [], answers: [] } as const;

test('given a plan that waits, when a program has told its use, then what is left is told; after the reset, and of an account of nobody, nothing is', async () => {
  await using stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const [ada] = await withWorkers(ctx, ['ada']);
  if (ada === undefined) throw new Error('no worker');
  const tells = (key: string): Promise<void> =>
    ctx.store.transaction(async (tx) => {
      const account = await tx.lockAccount(key, nature.now);
      const window = { name: '5 h', usedPercent: 42, resetsAt: nature.now + 2 * HOUR, at: nature.now };
      await tx.saveAccount({ ...account, quota: { windows: [window] } });
    });
  await tells(accountKeyOf(ctx, ada));
  await tells('codex/nobody');
  const row = runRow(ada);
  const { terms } = row.state;
  const flow = { ...terms.flow, budget: { ...BUDGET, workers: 2 }, stages: STAGES };
  const at = { now: nature.now, random: 0, policy: DEFAULT_POLICY };
  const begun = decideRun(newRun({ ...terms, flow }), { kind: 'requested' }, at);
  await ctx.store.transaction((tx) => tx.insertRun({ ...row, state: begun.run }));
  const of = { item: 'plan', attempt: 1, workerId: ada.id } as const;
  const request = begun.requests[0]?.id ?? '';
  const end = { kind: 'result', result: PLANNED, commit: null, base: 'b' } as const;
  const events: readonly RunEvent[] = [
    { kind: 'placed', request, ...of, name: 'ada', profile: 'claude', account: null },
    { kind: 'task-ended', ...of, end },
  ];
  for (const event of events) {
    const heard = { runId: row.id, id: ctx.ids.uuid(), event, by: POLICY };
    await ctx.store.transaction((tx) => handleRunEvent(ctx, tx, heard));
  }

  const asked = async (): Promise<string> => {
    const view = await shown(ctx, (await ctx.store.readRun(row.id)) ?? row);
    return view.kind === 'ok' ? (view.value.questions[0]?.text ?? '') : '';
  };
  const [card] = await ctx.store.listEscalations({ open: true, limit: 2 });
  expect(card?.body).toMatch(
    /On \d{4}-\d\d-\d\d, \d\d:\d\d UTC: The account claude@\S+: 58 % of the 5 h limit is left \(resets in 2 h\), as of now\./,
  );
  expect(await asked()).toContain('58 % of the 5 h limit is left (resets in 2 h)');
  expect(`${card?.body} ${await asked()}`).not.toContain('nobody');

  nature.now += 3 * HOUR;
  expect(await asked()).not.toContain('is left (');
});
