/** Tells which account pays for a worker's agent, as far as its machine and the project's trust say so. */
import { duration, tellQuota, trusts } from '@drover/core';
import type { AccountRow, Machine, Project, WorkerRow } from '@drover/store';
import { accountKeyOf, accountKeysOf, accountNameOf, type Accounts } from '../../context/account-key.ts';

/** The variable whose key Claude Code asks about before it pays with it. */
const ASKED = 'ANTHROPIC_API_KEY';

/** Payment of an agent. `by`: words that follow "pays". `isRefused`: a key is there that the project does not let it use. */
export interface Payment {
  readonly by: string;
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
 * Tells which account pays for a worker's agent, what is left of it, and which come after it, in words that follow "pays"; null: the configuration
 * names none for its profile, and its machine does not tell.
 */
export function tellPayment(accounts: Accounts, row: WorkerRow, { known, now, ...place }: Payers): string | null {
  const keys = accountKeysOf(accounts, row);
  const present = accountNameOf(accounts, row);
  const rowOf = (key: string): AccountRow | undefined => known.find((one) => one.key === key);
  const left = tellQuota(rowOf(accountKeyOf(accounts, row))?.quota ?? null, now);
  if (keys.size === 0 || present === null) {
    const { machine, project } = place;
    const { profile } = row.options;
    const by = machine === undefined || project === undefined ? null : paymentOf(machine, { profile, project })?.by;
    return by === null || by === undefined ? null : `${by}; ${left}`;
  }
  const words = [...keys].map(([name, key]) => {
    const state = rowOf(key)?.state;
    if (state === undefined || state.kind === 'open') return [name, 'open'] as const;
    const wait = state.wakeAt > now ? `for another ${duration(state.wakeAt - now)}` : 'and being tested now';
    return [name, `at its limit ${wait}`] as const;
  });
  const own = words.find(([name]) => name === present)?.[1] ?? 'open';
  const others = words.filter(([name]) => name !== present).map(([name, is]) => `; "${name}" is ${is}`);
  return `by the account "${present}" of drover.toml, which is ${own}: ${left}${others.join('')}`;
}

/** Returns the payment of a profile's agents on a machine; null: the machine does not tell. */
export function paymentOf(
  { condition }: Pick<Machine, 'condition'>,
  { profile, project }: { readonly profile: string; readonly project: Pick<Project, 'name' | 'trust'> },
): Payment | null {
  const keys = condition?.programs.find(({ of, name }) => of === 'profile' && name === profile)?.keys;
  if (keys === undefined) return null;
  const [taken] = keys.filter((name) => name !== ASKED);
  if (taken !== undefined) return { by: `by ${taken} of its environment`, isRefused: false };
  if (!keys.includes(ASKED)) return { by: 'by the login of its program', isRefused: false };
  const remedy = `"drover project trust ${project.name} api-key`;
  return trusts(project.trust, 'api-key') === true
    ? { by: `by the key ${ASKED} of its environment; ${remedy} --no" refuses it`, isRefused: false }
    : {
        by: `by the login of its program: the key ${ASKED} of its environment is refused; ${remedy}" accepts it`,
        isRefused: true,
      };
}
