/** Which account does a worker's agent use? Workers with the same key share its limits. */
import type { WorkerRow } from '@drover/store';

/** What the configuration says of a profile: the program that it starts, and the account if it names one. */
export interface AccountName {
  readonly program: string;
  readonly account: string | null;
}

/** What knows the account that each profile uses. */
export interface Accounts {
  readonly accountOf: (profile: string) => AccountName;
}

/** `<program>/<account>` where the configuration names one, else `<program>@<machine id>`: who is logged in there. */
export function accountKeyOf(
  { accountOf }: Accounts,
  row: { readonly options: Pick<WorkerRow['options'], 'profile'>; readonly machineId: string },
): string {
  const { program, account } = accountOf(row.options.profile);
  return account === null ? `${program}@${row.machineId}` : `${program}/${account}`;
}

/** The key as people read it: with the machine's name. */
export function accountTitle(key: string, machines: readonly { readonly id: string; readonly name: string }[]): string {
  const [program = '', machineId] = key.split('@');
  const machine = machines.find(({ id }) => id === machineId);
  return machine === undefined ? key : `${program}@${machine.name}`;
}
