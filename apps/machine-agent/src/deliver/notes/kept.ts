/**
 * Keeps the text typed last into each worker's pane on the machine with the panes: the next gateway has no journal of it, and finds it here.
 * Written before the text is typed: a text that is not here was not typed (docs/adr/0008).
 */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import { z } from 'zod';
import { deliveryNotes } from './notes.ts';

const keptDelivery = z.object({
  /** Number of its command. */
  seq: z.number(),
  textId: z.string(),
  notes: deliveryNotes,
});

export type KeptDelivery = z.infer<typeof keptDelivery>;

/** The last delivery of each worker. */
export interface KeptDeliveries {
  keep(workerId: string, delivery: KeptDelivery): Promise<void>;
  /** @returns null when nothing was typed so far; `damaged` if the file is unreadable: other programs write to that place. */
  last(workerId: string): Promise<KeptDelivery | 'damaged' | null>;
  forget(workerId: string): Promise<void>;
}

/** Keeps deliveries in files of a directory of Drover's, which is made at the first one. */
export function keptIn(
  files: Pick<Files, 'mkdir' | 'writeFile' | 'readFile' | 'removeFile'>,
  directory: string,
): KeptDeliveries {
  const pathOf = (workerId: string): string => join(directory, `${workerId}.json`);
  let made: Promise<void> | undefined;
  return {
    async keep(workerId, delivery) {
      made ??= files.mkdir(directory).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      await made;
      await files.writeFile(pathOf(workerId), JSON.stringify(delivery));
    },
    async last(workerId) {
      const bytes = await files.readFile(pathOf(workerId));
      if (bytes === undefined) return null;
      return readKept(Buffer.from(bytes).toString());
    },
    forget: (workerId) => files.removeFile(pathOf(workerId)),
  };
}

function readKept(text: string): KeptDelivery | 'damaged' {
  try {
    return keptDelivery.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}
