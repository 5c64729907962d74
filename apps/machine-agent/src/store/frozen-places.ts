/**
 * Keeps the places of workers that are frozen for a move: nothing begins in them until the worker is let in. An installed agent keeps them in
 * its database. A gateway keeps them on the host, because the next gateway has another database (docs/adr/0013).
 */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import type { KnownWorkers } from './known-workers.ts';

export interface FrozenPlaces {
  /** Keeps agents of this worker from starting here until it is let in. */
  freeze(workerId: string, move: string): Promise<void>;
  letIn(workerId: string): Promise<void>;
  /** Finds the move for which the place of this worker is frozen; undefined: it is not. */
  frozenFor(workerId: string): Promise<string | undefined>;
}

/** Keeps places in the database, for an agent on the machine of its panes. */
export function frozenInDatabase(db: Pick<KnownWorkers, 'freeze' | 'letIn' | 'frozenFor'>): FrozenPlaces {
  return {
    freeze: (workerId, move) => new Promise((resolve) => resolve(db.freeze(workerId, move))),
    letIn: (workerId) => new Promise((resolve) => resolve(db.letIn(workerId))),
    frozenFor: (workerId) => new Promise((resolve) => resolve(db.frozenFor(workerId))),
  };
}

/**
 * Keeps places in a file for each worker, in a directory of Drover's that is made at the first one. An empty file, as a power failure may
 * leave it, still freezes its place: for no move, so that nothing in it is cleared. Each place is read once: its epoch makes the gateway the
 * only writer here.
 */
export function frozenOnHost(
  files: Pick<Files, 'mkdir' | 'writeFile' | 'readFile' | 'removeFile'>,
  directory: string,
): FrozenPlaces {
  const known = new Map<string, string | undefined>();
  const pathOf = (workerId: string): string => join(directory, workerId);
  const change = async (workerId: string, move: string | undefined, write: () => Promise<void>): Promise<void> => {
    // If the connection is lost in the middle, the file decides.
    known.delete(workerId);
    await write();
    known.set(workerId, move);
  };
  return {
    freeze: (workerId, move) =>
      change(workerId, move, async () => {
        await files.mkdir(directory);
        await files.writeFile(pathOf(workerId), move);
      }),
    letIn: (workerId) => change(workerId, undefined, () => files.removeFile(pathOf(workerId))),
    async frozenFor(workerId) {
      if (known.has(workerId)) return known.get(workerId);
      const bytes = await files.readFile(pathOf(workerId));
      const move = bytes === undefined ? undefined : Buffer.from(bytes).toString().trim();
      known.set(workerId, move);
      return move;
    },
  };
}
