/** Chooses the account that pays when another is at its limit. */
import type { AccountState } from './account.ts';

/**
 * Returns the next open account after the present one, in the order of the configuration and around its end; undefined: none is open. An account
 * of which nothing was heard is open.
 *
 * @param names Accounts of the profile.
 */
export function nextAccount(
  names: readonly string[],
  present: string,
  stateOf: (name: string) => AccountState['kind'],
): string | undefined {
  const at = names.indexOf(present);
  const others = [...names.slice(at + 1), ...names.slice(0, Math.max(0, at))];
  return others.find((name) => name !== present && stateOf(name) === 'open');
}
