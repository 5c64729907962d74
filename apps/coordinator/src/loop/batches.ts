/** Says which observations of one message are taken in one transaction. */
import type { Observation } from '@drover/protocol';

/** Observations in one transaction at most: it holds the rows of their workers until its end, which a person's request may wait for. */
export const BATCH_MAX = 20;

/** Kinds that are about one worker alone. */
const OF_ONE_WORKER: ReadonlySet<Observation['body']['kind']> = new Set(['screen', 'exit', 'tool-failed', 'result']);

/**
 * Splits a message, in its order. Observations that are about one worker each come together, ordered by worker, so that two transactions
 * take rows in the same order; those of one worker keep theirs. A list of panes, and the answer to a query, stay alone.
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

/** The second result of a command finds the first one. */
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
