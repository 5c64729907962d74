/** Tells which account pays for a worker's agent, as far as its machine and the project's trust say so. */
import { duration, tellQuota, trusts } from '@drover/core';
import type { AccountRow, Machine, Project, WorkerRow } from '@drover/store';
import { accountKeyOf, accountKeysOf, accountNameOf, type Accounts } from '../../context/account-key.ts';

/** The variable whose key Claude Code asks about before it pays with it. */
const ASKED = 'ANTHROPIC_API_KEY';
/** The variable with a login of Claude Code: its limits are those of a subscription. */
const TOKEN = 'CLAUDE_CODE_OAUTH_TOKEN';

/** Account of a worker whose machine does not tell how its programs pay. */
const UNNAMED = 'an account that its machine does not name';

/** Payment of an agent. `isRefused`: a key is there that the project does not let it use. */
export interface Payment {
  readonly kind: 'key' | 'login';
  /** Words that follow "pays". */
  readonly by: string;
  /** Clause on the key, and the command that decides on it; empty: there is nothing to decide. */
  readonly remedy: string;
  readonly isRefused: boolean;
}

/** Facts from which the payment of a worker is told. `machine`, `project`: undefined where they are gone. */
interface Payers {
  readonly known: readonly AccountRow[];
  readonly now: number;
  readonly machine: Pick<Machine, 'condition'> | undefined;
  readonly project: Pick<Project, 'name' | 'trust'> | undefined;
}

/**
 * Tells which account pays for a worker's agent, what is left of it, and which come after it, in words that follow "pays"; null: neither the
 * configuration nor its machine names one, and nothing is known of its limits.
 */
export function tellPayment(accounts: Accounts, row: WorkerRow, { known, now, ...place }: Payers): string | null {
  const keys = accountKeysOf(accounts, row);
  const present = accountNameOf(accounts, row);
  const rowOf = (key: string): AccountRow | undefined => known.find((one) => one.key === key);
  const own = rowOf(accountKeyOf(accounts, row));
  const left = tellQuota(own?.quota ?? null, now);
  if (keys.size === 0 || present === null) {
    const { machine, project } = place;
    const { profile } = row.options;
    const payment = machine === undefined || project === undefined ? null : paymentOf(machine, { profile, project });
    if (payment === null) return own === undefined ? null : `by ${UNNAMED}, which is ${stateOf(own, now)}: ${left}`;
    const { kind, by, remedy } = payment;
    // The limits are those of the login.
    return kind === 'key' ? `${by}${remedy}` : `${by}, which is ${stateOf(own, now)}: ${left}${remedy}`;
  }
  const others = [...keys]
    .filter(([name]) => name !== present)
    .map(([name, key]) => `; "${name}" is ${stateOf(rowOf(key), now)}`);
  return `by the account "${present}" of drover.toml, which is ${stateOf(own, now)}: ${left}${others.join('')}`;
}

function stateOf(account: AccountRow | undefined, now: number): string {
  if (account === undefined || account.state.kind === 'open') return 'open';
  const { wakeAt } = account.state;
  return `at its limit ${wakeAt > now ? `for another ${duration(wakeAt - now)}` : 'and being tested now'}`;
}

/** Returns the payment of a profile's agents on a machine; null: the machine does not tell. */
export function paymentOf(
  { condition }: Pick<Machine, 'condition'>,
  { profile, project }: { readonly profile: string; readonly project: Pick<Project, 'name' | 'trust'> },
): Payment | null {
  const keys = condition?.programs.find(({ of, name }) => of === 'profile' && name === profile)?.keys;
  if (keys === undefined) return null;
  const [taken] = keys.filter((name) => name !== ASKED);
  if (taken !== undefined)
    return {
      kind: taken === TOKEN ? 'login' : 'key',
      by: `by ${taken} of its environment`,
      remedy: '',
      isRefused: false,
    };
  const login = { kind: 'login', by: 'by the login of its program' } as const;
  if (!keys.includes(ASKED)) return { ...login, remedy: '', isRefused: false };
  const trust = `"drover project trust ${project.name} api-key`;
  return trusts(project.trust, 'api-key') === true
    ? {
        kind: 'key',
        by: `by the key ${ASKED} of its environment`,
        remedy: `; ${trust} --no" refuses it`,
        isRefused: false,
      }
    : {
        ...login,
        remedy: `; the key ${ASKED} of its environment is refused: ${trust}" accepts it`,
        isRefused: true,
      };
}
