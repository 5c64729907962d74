/** Names the account of a worker's agent. Workers with the same key share the account's limits. */
import type { WorkerRow } from '@drover/store';

/** Program that a profile starts, and its account if the configuration names one. */
export interface AccountName {
  readonly program: string;
  readonly account: string | null;
}

/** Looks up the account that each profile uses. */
export interface Accounts {
  readonly accountOf: (profile: string) => AccountName;
}

/** Gives `<program>/<account>` where the configuration names one, else `<program>@<machine id>`: the login on that machine. */
export function accountKeyOf(
  { accountOf }: Accounts,
  row: { readonly options: Pick<WorkerRow['options'], 'profile'>; readonly machineId: string },
): string {
  const { program, account } = accountOf(row.options.profile);
  return account === null ? `${program}@${row.machineId}` : `${program}/${account}`;
}

/** Formats the key for people: with the machine's name. */
export function accountTitle(key: string, machines: readonly { readonly id: string; readonly name: string }[]): string {
  const [program = '', machineId] = key.split('@');
  const machine = machines.find(({ id }) => id === machineId);
  return machine === undefined ? key : `${program}@${machine.name}`;
}
