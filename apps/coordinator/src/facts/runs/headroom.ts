/** Says what is left of the accounts that would pay for a run's work. One of which nothing is known counts neither for nor against it. */
import { headroomOf, tellQuota } from '@drover/core';
import type { RunQuestion } from '@drover/core';
import type { RunRow, StoreTransaction } from '@drover/store';
import { accountKeyOf, accountTitle } from '../../context/account-key.ts';
import type { Context } from '../../context/context.ts';

type Reader = Pick<StoreTransaction, 'listAccounts' | 'listRoster' | 'listMachines'>;

/** Lists a line for each account of the workers that may take part; none where no plan waits for a yes. */
export async function headroomLines(
  ctx: Pick<Context, 'accountOf' | 'clock'>,
  store: Reader,
  { run: { projectId }, questions }: { readonly run: RunRow; readonly questions: readonly RunQuestion[] },
): Promise<readonly string[]> {
  if (questions.every(({ parts }) => parts === null)) return [];
  const workers = await store.listRoster({ projectId });
  const accounts = await store.listAccounts();
  const machines = await store.listMachines();
  const paying = new Set(workers.map((row) => accountKeyOf(ctx, row)));
  const now = ctx.clock.now();
  return accounts
    .filter(({ key, quota }) => paying.has(key) && headroomOf(quota, now) !== null)
    .map(({ key, quota }) => `The account ${accountTitle(key, machines)}: ${tellQuota(quota, now)}.`);
}
