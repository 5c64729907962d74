/** Where do the program's own records, and what Drover keeps beside them, lie? In files; in simulations in memory. */
import { realpath } from 'node:fs/promises';
import { hookHolds } from '../signals/hooks.ts';
import { keepsTranscripts, sizeOf, transcriptHolds } from '../signals/transcript.ts';
import { DraftStore } from './draft-store.ts';
import { writePromptFile } from './prompt-file.ts';

/** The records of programs: transcripts, and what their hooks wrote. */
export interface Records {
  readonly sizeOf: typeof sizeOf;
  readonly keepsTranscripts: typeof keepsTranscripts;
  readonly transcriptHolds: typeof transcriptHolds;
  readonly hookHolds: typeof hookHolds;
}

/** The drafts of one worker, while Drover's text takes their place. */
export type Drafts = Pick<DraftStore, 'save' | 'waiting' | 'forget' | 'keep'>;

/** What a delivery keeps and reads beside the pane. */
export interface DeliveryFiles {
  readonly records: Records;
  readonly drafts: (workerId: string) => Drafts;
  readonly writePromptFile: typeof writePromptFile;
  /** The path without symbolic links. @throws when there is none. */
  readonly realpath: (path: string) => Promise<string>;
}

/** Those on this machine's disk. */
export function filesOnDisk(dataDir: string): DeliveryFiles {
  return {
    records: { sizeOf, keepsTranscripts, transcriptHolds, hookHolds },
    drafts: (workerId) => new DraftStore(dataDir, workerId),
    writePromptFile,
    realpath: (path) => realpath(path),
  };
}
