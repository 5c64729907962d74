/** Which observations of one message are taken in one transaction? */
import type { Observation } from '@drover/protocol';
import type { StoreTransaction } from '@drover/store';

/** Observations in one transaction at most: it holds the rows of their workers until its end, which a person's request may wait for. */
export const BATCH_MAX = 20;

/** What is about one worker alone. */
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
    } else if (open === null || open.length >= BATCH_MAX) {
      open = [observation];
      found.push(open);
    } else open.push(observation);
  }
  return found.map((batch) => batch.toSorted((one, other) => compare(workerOf(one), workerOf(other))));
}

function workerOf({ body }: Observation): string {
  return 'workerId' in body ? body.workerId : '';
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/**
 * The transaction, with a memory for what the decisions of a batch read again and again and do not write: the machine and the projects.
 * What may change them is passed on, and forgets them.
 */
export function remembering(tx: StoreTransaction): StoreTransaction {
  const machines = new Map<string, ReturnType<StoreTransaction['readMachine']>>();
  const projects = new Map<string, ReturnType<StoreTransaction['readProject']>>();
  const forgetting = <Given extends readonly unknown[], T>(call: (...given: Given) => T): ((...given: Given) => T) => {
    return (...given) => {
      machines.clear();
      projects.clear();
      return call(...given);
    };
  };
  return {
    ...tx,
    readMachine: (id) => remembered(machines, id, () => tx.readMachine(id)),
    readProject: (id) => remembered(projects, id, () => tx.readProject(id)),
    lockProject: forgetting(tx.lockProject),
    setMergeWorker: forgetting(tx.setMergeWorker),
    saveCheckout: forgetting(tx.saveCheckout),
    saveCordon: forgetting(tx.saveCordon),
    saveTerms: forgetting(tx.saveTerms),
  };
}

function remembered<T>(known: Map<string, T>, id: string, read: () => T): T {
  const found = known.get(id);
  if (found !== undefined) return found;
  const value = read();
  known.set(id, value);
  return value;
}
