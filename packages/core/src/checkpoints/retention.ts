/** Chooses the checkpoints of a worker to keep and to drop. The machine's refs and the rows go by the same rule. */

/** The part of a checkpoint that the rule needs. `at` is epoch milliseconds. */
export interface KeptCheckpoint {
  readonly id: string;
  readonly type: string;
  readonly at: number;
}

/** Types of checkpoints for a person, made by request or before a question. Drover's own checkpoints do not displace them. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['manual', 'hiccup']);

/** Returns the ids of the checkpoints to drop: of the two sorts, all but the newest. */
export function surplusCheckpoints(all: readonly KeptCheckpoint[], keptMax: number): string[] {
  const newestFirst = all.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  const people = newestFirst.filter(({ type }) => FOR_PEOPLE.has(type));
  const drover = newestFirst.filter(({ type }) => !FOR_PEOPLE.has(type));
  return [...people.slice(keptMax), ...drover.slice(keptMax)].map(({ id }) => id);
}
