/** Places of the program's own records, and of the data that Drover keeps beside them. In files; in simulations in memory. */
import { join } from 'node:path';
import type { Host } from '@drover/host';
import type { Profile } from '@drover/screen';
import { hookOfPrompt } from '../signals/hooks.ts';
import { keepsTranscripts, sizeOf, transcriptHolds } from '../signals/transcript.ts';
import { DraftStore } from './draft-store.ts';
import { keptIn, type KeptDeliveries } from './notes/kept.ts';
import { writePromptFile } from './prompt-file.ts';

/** Records of programs: transcripts, and output of their hooks. */
export interface Records {
  /** Bytes of a file; 0 when there is none, null when it is unknown. */
  sizeOf(path: string): Promise<number | null>;
  /** Tells whether the program keeps its transcripts in the directory of this one. */
  keepsTranscripts(path: string): Promise<boolean>;
  /** Tells whether the user's words stand in a transcript after an offset. */
  transcriptHolds(path: string, offset: number, words: string): Promise<boolean>;
  /**
   * Finds a hook after an offset which says that the program took a prompt with these words.
   *
   * @returns the conversation that the hook names, by the program's own id; null where there is no such hook.
   */
  hookOfPrompt(
    news: string,
    offset: number,
    wanted: { readonly profile: Profile; readonly words: string },
  ): Promise<{ readonly conversation: string | null } | null>;
}

/** Drafts of one worker, while Drover's text takes their place. */
export type Drafts = Pick<DraftStore, 'save' | 'waiting' | 'forget' | 'keep'>;

/** Files that a delivery keeps and reads beside the pane. */
export interface DeliveryFiles {
  readonly records: Records;
  readonly drafts: (workerId: string) => Drafts;
  readonly writePromptFile: (worktree: string, text: string) => Promise<string>;
  /** Deliveries for the next gateway; null: the agent and its journal are on the machine with the panes. */
  readonly kept: KeptDeliveries | null;
  /** Resolves the symbolic links of a path; undefined when there is no such path. */
  readonly realpath: (path: string) => Promise<string | undefined>;
}

interface Places {
  readonly host: Host;
  readonly dataDir: string;
  /** Differs from `dataDir` if the panes are on another machine. */
  readonly machineDir: string;
}

/** Records and prompts on the machine with the panes; drafts in the agent's own directory. */
export function filesOnDisk({ host, dataDir, machineDir }: Places): DeliveryFiles {
  return {
    records: {
      sizeOf: (path) => sizeOf(host, path),
      keepsTranscripts: (path) => keepsTranscripts(host, path),
      transcriptHolds: (path, offset, words) => transcriptHolds(host, path, { offset, words }),
      hookOfPrompt: (news, offset, wanted) => hookOfPrompt(host, news, { offset, ...wanted }),
    },
    drafts: (workerId) => new DraftStore(dataDir, workerId),
    writePromptFile: (worktree, text) => writePromptFile(host, worktree, text),
    kept: machineDir === dataDir ? null : keptIn(host, join(machineDir, 'deliveries')),
    realpath: host.realpath,
  };
}
