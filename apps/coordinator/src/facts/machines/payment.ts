/** Tells which account pays for a worker's agent, as far as its machine and the project's trust say so. */
import { duration, trusts } from '@drover/core';
import type { AccountRow, Machine, Project, WorkerRow } from '@drover/store';
import { accountKeysOf, accountNameOf, type Accounts } from '../../context/account-key.ts';

/** The variable whose key Claude Code asks about before it pays with it. */
const ASKED = 'ANTHROPIC_API_KEY';

/** Payment of an agent. `by`: words that follow "pays". `isRefused`: a key is there that the project does not let it use. */
export interface Payment {
  readonly by: string;
  readonly isRefused: boolean;
}

/**
 * Tells which account of the configuration pays for a worker's agent, what is left of it, and which come after it, in words that follow "by";
 * null: the configuration names none for its profile.
 */
export function tellAccounts(
  accounts: Accounts,
  row: WorkerRow,
  { known, now }: { readonly known: readonly AccountRow[]; readonly now: number },
): string | null {
  const keys = accountKeysOf(accounts, row);
  const present = accountNameOf(accounts, row);
  if (keys.size === 0 || present === null) return null;
  const words = [...keys].map(([name, key]) => {
    const state = known.find((one) => one.key === key)?.state;
    if (state === undefined || state.kind === 'open') return [name, 'open'] as const;
    const left = state.wakeAt > now ? `for another ${duration(state.wakeAt - now)}` : 'and being tested now';
    return [name, `at its limit ${left}`] as const;
  });
  const own = words.find(([name]) => name === present)?.[1] ?? 'open';
  const others = words.filter(([name]) => name !== present).map(([name, is]) => `; "${name}" is ${is}`);
  return `by the account "${present}" of drover.toml, which is ${own}${others.join('')}`;
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
