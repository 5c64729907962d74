/** Lists accounts: the workers that each pays for, what is left of it, and the reasons why its workers wait. */
import { OPEN_ACCOUNT, tellQuota } from '@drover/core';
import type { AccountView } from '@drover/api';
import type { AccountRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { reaches } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';
import { accountKeyOf, accountTitle } from '../../context/account-key.ts';

/** Lists all accounts that pay for a worker or of which something is known, waiting ones first. */
export async function listAccounts(ctx: Context, reach: Reach): Promise<readonly AccountView[]> {
  const { store, clock } = ctx;
  const [known, workers, machines] = await Promise.all([
    store.listAccounts(),
    store.listRoster(),
    store.listMachines(),
  ]);
  const rows = new Map(workers.map((row) => [row.id, row]));
  const named = (id: string): readonly string[] => {
    const row = rows.get(id);
    if (row === undefined) return reach.project === null ? [id] : [];
    return reaches(reach, { project: row.projectId, worker: id }) ? [row.name] : [];
  };
  const paid = Map.groupBy(workers, (row) => accountKeyOf(ctx, row));
  const told = new Map(known.map((account) => [account.key, account]));
  return [...new Set([...told.keys(), ...paid.keys()])]
    .toSorted()
    .map((key) => {
      const { state = OPEN_ACCOUNT, quota = null } = told.get(key) ?? {};
      const pays = (paid.get(key) ?? []).flatMap(({ id }) => named(id)).toSorted();
      const left = tellQuota(quota, clock.now());
      return { ...stateView(state, named), key: accountTitle(key, machines), pays, quota, left };
    })
    .filter(({ probe, waiting, pays }) => reach.project === null || probe !== null || waiting.length + pays.length > 0)
    .toSorted((one, other) => Number(one.state === 'open') - Number(other.state === 'open'));
}

/** @param named Looks up the name of a worker; empty for a worker out of the caller's scope. */
function stateView(
  state: AccountRow['state'],
  named: (id: string) => readonly string[],
): Omit<AccountView, 'key' | 'pays' | 'quota' | 'left'> {
  if (state.kind === 'open')
    return { state: 'open', since: state.since, until: null, stated: false, probe: null, waiting: [] };
  const { since, wakeAt } = state;
  return {
    state: state.kind,
    since,
    until: wakeAt,
    stated: state.kind === 'paused' && state.statedResetAt !== null,
    probe: state.kind === 'probing' ? (named(state.probe)[0] ?? null) : null,
    waiting: state.waiting.flatMap(named),
  };
}
