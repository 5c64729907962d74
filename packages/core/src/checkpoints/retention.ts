/** Chooses the checkpoints of a worker to keep and to drop. The machine's refs and the rows go by the same rule. */
import { CHECKPOINTS_KEPT } from '../policy/policy.ts';

/** The part of a checkpoint that the rule needs. `at` is epoch milliseconds. */
export interface KeptCheckpoint {
  readonly id: string;
  readonly type: string;
  readonly at: number;
}

/** Made for a person, by request or before one was asked: those that Drover makes by itself do not push them out. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['manual', 'hiccup']);

/** The ids of those that are dropped: of the two sorts, all but the newest. */
export function surplusCheckpoints(all: readonly KeptCheckpoint[], keep: number = CHECKPOINTS_KEPT): string[] {
  const newestFirst = all.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  const people = newestFirst.filter(({ type }) => FOR_PEOPLE.has(type));
  const drover = newestFirst.filter(({ type }) => !FOR_PEOPLE.has(type));
  return [...people.slice(keep), ...drover.slice(keep)].map(({ id }) => id);
}
