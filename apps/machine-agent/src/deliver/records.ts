/** Where do the program's own records, and what Drover keeps beside them, lie? In files; in simulations in memory. */
import { join } from 'node:path';
import type { Host } from '@drover/host';
import type { Profile } from '@drover/screen';
import { hookHolds } from '../signals/hooks.ts';
import { keepsTranscripts, sizeOf, transcriptHolds } from '../signals/transcript.ts';
import { DraftStore } from './draft-store.ts';
import { keptIn, type KeptDeliveries } from './notes/kept.ts';
import { writePromptFile } from './prompt-file.ts';

/** The records of programs: transcripts, and what their hooks wrote. */
export interface Records {
  /** Bytes of a file; 0 when there is none, null when it cannot be told. */
  sizeOf(path: string): Promise<number | null>;
  /** Whether the program keeps its transcripts where this one would be. */
  keepsTranscripts(path: string): Promise<boolean>;
  /** Whether the user's words stand in a transcript after an offset. */
  transcriptHolds(path: string, offset: number, words: string): Promise<boolean>;
  /** Whether a hook after an offset says that the program took a prompt with these words. */
  hookHolds(
    news: string,
    offset: number,
    wanted: { readonly profile: Profile; readonly words: string },
  ): Promise<boolean>;
}

/** The drafts of one worker, while Drover's text takes their place. */
export type Drafts = Pick<DraftStore, 'save' | 'waiting' | 'forget' | 'keep'>;

/** What a delivery keeps and reads beside the pane. */
export interface DeliveryFiles {
  readonly records: Records;
  readonly drafts: (workerId: string) => Drafts;
  readonly writePromptFile: (worktree: string, text: string) => Promise<string>;
  /** For a gateway that comes after this one; null: the agent and its journal are on the machine with the panes. */
  readonly kept: KeptDeliveries | null;
  /** The path without symbolic links; undefined when there is none. */
  readonly realpath: (path: string) => Promise<string | undefined>;
}

interface Places {
  readonly host: Host;
  readonly dataDir: string;
  /** Another directory than `dataDir` where the panes are on another machine. */
  readonly machineDir: string;
}

/** Records and prompts on the machine with the panes; drafts in the agent's own directory. */
export function filesOnDisk({ host, dataDir, machineDir }: Places): DeliveryFiles {
  return {
    records: {
      sizeOf: (path) => sizeOf(host, path),
      keepsTranscripts: (path) => keepsTranscripts(host, path),
      transcriptHolds: (path, offset, words) => transcriptHolds(host, path, { offset, words }),
      hookHolds: (news, offset, wanted) => hookHolds(host, news, { offset, ...wanted }),
    },
    drafts: (workerId) => new DraftStore(dataDir, workerId),
    writePromptFile: (worktree, text) => writePromptFile(host, worktree, text),
    kept: machineDir === dataDir ? null : keptIn(host, join(machineDir, 'deliveries')),
    realpath: host.realpath,
  };
}
