/** Names the account of a worker's agent. Workers with the same key share the account's limits. */
import type { WorkerRow } from '@drover/store';

/** Program that a profile starts, and its account if the configuration names one. */
export interface AccountName {
  readonly program: string;
  readonly account: string | null;
  /** Accounts that may pay for it, by their names in the configuration and in its order; the first one pays at first. Absent: none is named. */
  readonly accounts?: readonly string[];
}

/** Looks up the account that each profile uses. */
export interface Accounts {
  readonly accountOf: (profile: string) => AccountName;
}

/** Gives `<program>/<account>` where the configuration names one, else `<program>@<machine id>`: the login on that machine. */
export function accountKeyOf({ accountOf }: Accounts, row: Payer): string {
  const { program } = accountOf(row.options.profile);
  const account = accountNameOf({ accountOf }, row);
  return account === null ? `${program}@${row.machineId}` : `${program}/${account}`;
}

/** Worker whose agent somebody pays for. */
export type Payer = { readonly options: Pick<WorkerRow['options'], 'profile' | 'account'>; readonly machineId: string };

/** Names the account that pays for a worker's agent; null: the login of its machine. */
export function accountNameOf({ accountOf }: Accounts, { options }: Payer): string | null {
  const { account, accounts = [] } = accountOf(options.profile);
  const chosen = accounts.find((name) => name === options.account);
  return chosen ?? accounts[0] ?? account;
}

/** Lists the keys of all accounts that may pay for a worker's agent, by name. */
export function accountKeysOf({ accountOf }: Accounts, { options }: Payer): ReadonlyMap<string, string> {
  const { program, accounts = [] } = accountOf(options.profile);
  return new Map(accounts.map((name) => [name, `${program}/${name}`]));
}

/** Formats the key for people: with the machine's name. */
export function accountTitle(key: string, machines: readonly { readonly id: string; readonly name: string }[]): string {
  const [program = '', machineId] = key.split('@');
  const machine = machines.find(({ id }) => id === machineId);
  return machine === undefined ? key : `${program}@${machine.name}`;
}
