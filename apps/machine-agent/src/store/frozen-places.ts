/**
 * Which workers' places are frozen for a move: nothing begins in them until the worker is let in. An installed agent keeps it in its database. A
 * gateway keeps it on the host, because the gateway that comes after it has another database (docs/adr/0013).
 */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import type { KnownWorkers } from './known-workers.ts';

/** The frozen places of one machine. */
export interface FrozenPlaces {
  /** From now on no agent of this worker is started here, until it is let in. */
  freeze(workerId: string, move: string): Promise<void>;
  letIn(workerId: string): Promise<void>;
  /** The move for which the place of this worker is frozen; undefined: it is not. */
  frozenFor(workerId: string): Promise<string | undefined>;
}

/** Of an agent that lives where its panes are. */
export function frozenInDatabase(db: Pick<KnownWorkers, 'freeze' | 'letIn' | 'frozenFor'>): FrozenPlaces {
  return {
    freeze: (workerId, move) => new Promise((resolve) => resolve(db.freeze(workerId, move))),
    letIn: (workerId) => new Promise((resolve) => resolve(db.letIn(workerId))),
    frozenFor: (workerId) => new Promise((resolve) => resolve(db.frozenFor(workerId))),
  };
}

/**
 * In a file for each worker, in a directory of Drover's that is made at the first one. A file that holds no words, as a power failure may leave it,
 * still freezes its place: for no move, so that nothing in it is cleared. Each place is read once: who may write here is alone, by its epoch.
 */
export function frozenOnHost(
  files: Pick<Files, 'mkdir' | 'writeFile' | 'readFile' | 'removeFile'>,
  directory: string,
): FrozenPlaces {
  const known = new Map<string, string | undefined>();
  const pathOf = (workerId: string): string => join(directory, workerId);
  const change = async (workerId: string, move: string | undefined, write: () => Promise<void>): Promise<void> => {
    // Where the connection is lost in the middle, the file says what is so.
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
