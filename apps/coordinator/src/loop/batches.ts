/** Groups the observations of one message that share a transaction. */
import type { Observation } from '@drover/protocol';

/** Observations in one transaction at most: it holds the rows of their workers until its end, which a person's request may wait for. */
export const BATCH_MAX = 20;

/** Kinds that are about one worker alone. */
const OF_ONE_WORKER: ReadonlySet<Observation['body']['kind']> = new Set(['screen', 'exit', 'tool-failed', 'result']);

/**
 * Splits a message, in its order. Groups observations that are about one worker each, ordered by worker, so that two transactions lock
 * rows in the same order; observations of one worker keep their order. A list of panes, and the answer to a query, stay alone.
 */
export function batches(observations: readonly Observation[]): readonly (readonly Observation[])[] {
  const found: Observation[][] = [];
  let open: Observation[] | null = null;
  for (const observation of observations) {
    if (!OF_ONE_WORKER.has(observation.body.kind)) {
      found.push([observation]);
      open = null;
    } else if (open === null || open.length >= BATCH_MAX || namesCommandOf(open, observation)) {
      open = [observation];
      found.push(open);
    } else open.push(observation);
  }
  return found.map((batch) => batch.toSorted((one, other) => compare(workerOf(one), workerOf(other))));
}

/** Tells whether an open observation is of the same command: the second result of a command finds the first one. */
function namesCommandOf(open: readonly Observation[], { body }: Observation): boolean {
  return (
    body.kind === 'result' && open.some(({ body: one }) => one.kind === 'result' && one.commandId === body.commandId)
  );
}

function workerOf({ body }: Observation): string {
  return 'workerId' in body ? body.workerId : '';
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
