/** Chooses the account that pays when another is at its limit. */
import type { AccountState } from './account.ts';

/** Account as the choice sees it. */
export interface Payable {
  readonly kind: AccountState['kind'];
  readonly isNearlySpent: boolean;
}

/**
 * Returns the next open account after the present one, in the order of the configuration and around its end, one with something left before one that
 * is nearly spent; undefined: none is open. An account of which nothing was heard is open.
 *
 * @param names Accounts of the profile.
 */
export function nextAccount(
  names: readonly string[],
  present: string,
  stateOf: (name: string) => Payable,
): string | undefined {
  const at = names.indexOf(present);
  const others = [...names.slice(at + 1), ...names.slice(0, Math.max(0, at))];
  const open = others.filter((name) => name !== present && stateOf(name).kind === 'open');
  return open.find((name) => !stateOf(name).isNearlySpent) ?? open[0];
}
