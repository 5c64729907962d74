/** Lists accounts and the reasons why their workers wait. */
import type { AccountView } from '@drover/api';
import type { AccountRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { reaches } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';
import { accountTitle } from '../../context/account-key.ts';

/** Lists all known accounts, waiting ones first. */
export async function listAccounts({ store }: Context, reach: Reach): Promise<readonly AccountView[]> {
  const [accounts, workers, machines] = await Promise.all([
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
  return accounts
    .map((account) => accountView(account, { title: accountTitle(account.key, machines), named }))
    .filter(({ probe, waiting }) => reach.project === null || probe !== null || waiting.length > 0)
    .toSorted((one, other) => Number(one.state === 'open') - Number(other.state === 'open'));
}

/** @param named Looks up the name of a worker; empty for a worker out of the caller's scope. */
function accountView(
  { state }: AccountRow,
  { title, named }: { title: string; named: (id: string) => readonly string[] },
): AccountView {
  if (state.kind === 'open') {
    return { key: title, state: 'open', since: state.since, until: null, stated: false, probe: null, waiting: [] };
  }
  const { since, wakeAt } = state;
  return {
    key: title,
    state: state.kind,
    since,
    until: wakeAt,
    stated: state.kind === 'paused' && state.statedResetAt !== null,
    probe: state.kind === 'probing' ? (named(state.probe)[0] ?? null) : null,
    waiting: state.waiting.flatMap(named),
  };
}
