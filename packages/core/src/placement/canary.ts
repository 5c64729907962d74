/** Decides whether a version of an agent's program that no trial has seen is proven: fleets update their programs by themselves, every week. */
import type { Policy } from '../policy/policy.ts';

/** Comparisons of screens with a program's own words on one machine, with a version that no trial has seen. */
export interface Compared {
  /** Turns without a disagreement since the last one. */
  readonly turns: number;
  readonly disagreements: number;
}

/** Sums up all machines that have the version. @returns null when it is proven, or the policy proves none. */
export function unproven(machines: readonly Compared[], { canary }: Pick<Policy, 'canary'>): Compared | null {
  const turns = machines.reduce((sum, one) => sum + one.turns, 0);
  const disagreements = machines.reduce((sum, one) => sum + one.disagreements, 0);
  // A machine that has seen a disagreement must agree by itself: turns elsewhere do not excuse it.
  const isDisputed = machines.some((one) => one.disagreements > 0 && one.turns < canary.turns);
  return machines.length === 0 || (turns >= canary.turns && !isDisputed) ? null : { turns, disagreements };
}
