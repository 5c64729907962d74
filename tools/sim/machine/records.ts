/**
 * Keeps a simulated machine's disk in memory: transcripts of programs, drafts that were set aside, what Drover keeps in files. Also keeps the disks
 * of agents, which are used again.
 */
import { basename } from 'node:path';
import type { DeliveryFiles, Drafts, FrozenPlaces, KeptDeliveries, KeptDelivery } from '@drover/machine-agent/testing';
import { frozenOnHost, MemoryDisk, saysTheSame, type startsNotedIn } from '@drover/machine-agent/testing';
import type { Link } from './link.ts';

/** A draft that was set aside. */
export interface SavedDraft {
  readonly workerId: string;
  readonly incarnation: string;
  readonly text: string;
  isKept: boolean;
}

/** The parts of a disk that deliveries use. */
export interface RecordDisk {
  /** Words told to each conversation, oldest first. */
  readonly transcripts: ReadonlyMap<string, readonly string[]>;
  /** Drafts by a path that is made up. */
  readonly drafts: Map<string, SavedDraft>;
  /** Text typed last into the pane of each worker. */
  readonly kept: Map<string, KeptDelivery>;
}

/** A transcript's size is the number of its entries; hooks write nothing here. */
export function recordsOn({ transcripts, drafts, kept }: RecordDisk, link: Link): DeliveryFiles {
  const entries = (path: string): readonly string[] => transcripts.get(basename(path, '.jsonl')) ?? [];
  return {
    records: {
      sizeOf: (path) => Promise.resolve(isTranscript(path) ? entries(path).length : null),
      keepsTranscripts: () => Promise.resolve(true),
      transcriptHolds: (path, offset, words) =>
        Promise.resolve(
          entries(path)
            .slice(offset)
            .some((text) => saysTheSame(text, words)),
        ),
      hookOfPrompt: () => Promise.resolve(null),
    },
    drafts: (workerId) => draftsOf(workerId, drafts),
    writePromptFile: () => Promise.reject(new Error('No text of a schedule needs a file')),
    kept: link.epoch === undefined ? null : keptOn(kept, link),
    realpath: (path) => Promise.resolve(path),
  };
}

function keptOn(kept: Map<string, KeptDelivery>, link: Link): KeptDeliveries {
  return {
    keep: (workerId, delivery) => link.carry(() => void kept.set(workerId, delivery)),
    last: (workerId) => link.carry(() => kept.get(workerId) ?? null, 'read'),
    forget: (workerId) => link.carry(() => void kept.delete(workerId)),
  };
}

/** The file that freezes the place of a worker. */
export function frozenFile(workerId: string): string {
  return `${FROZEN}/${workerId}`;
}

const FROZEN = '/frozen';

/** Keeps frozen places as a gateway does on its host. */
export function frozenOn(frozen: Map<string, string>, link: Link): FrozenPlaces {
  const files = {
    mkdir: () => Promise.resolve(),
    writeFile: (path: string, text: string | Uint8Array) => link.carry(() => void frozen.set(path, String(text))),
    readFile: (path: string) => link.carry(() => bytesOf(frozen.get(path)), 'read'),
    removeFile: (path: string) => link.carry(() => void frozen.delete(path)),
  };
  return frozenOnHost(files, FROZEN);
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}

function isTranscript(path: string): boolean {
  return path.startsWith(HOME);
}

/** Directory in which programs keep their transcripts. */
export const HOME = '/sim-home';

/** Facts in a simulated machine's hello. */
export const FACTS = { hostname: 'sim', platform: 'sim', tmux: '3', git: '2', node: '24', zone: 'UTC' } as const;

/** Places of its checkouts. */
export function placesOf({ roots }: { readonly roots: Readonly<Record<string, string>> }): {
  readonly workspace: string;
  readonly roots: Readonly<Record<string, string>>;
} {
  return { workspace: '/srv', roots };
}

function draftsOf(workerId: string, drafts: Map<string, SavedDraft>): Drafts {
  return {
    save(id, { incarnation, text }) {
      const path = `${workerId}/${id}`;
      drafts.set(path, { workerId, incarnation, text, isKept: false });
      return Promise.resolve(path);
    },
    waiting(incarnation) {
      const waiting = [...drafts].filter(
        ([, draft]) => draft.workerId === workerId && draft.incarnation === incarnation && !draft.isKept,
      );
      const texts = [...new Set(waiting.map(([, { text }]) => text))];
      return Promise.resolve({ texts, paths: waiting.map(([path]) => path) });
    },
    forget(paths) {
      for (const path of paths) drafts.delete(path);
      return Promise.resolve();
    },
    keep(paths) {
      for (const path of paths) {
        const draft = drafts.get(path);
        if (draft !== undefined) draft.isKept = true;
      }
      return Promise.resolve(paths);
    },
  };
}

/** The starts of one machine. */
export class SimStarts {
  /** The id of the present one; null: its system tells none. */
  now: string | null;
  /** The id of the one in which its panes were listed last, in a file of its directory. */
  noted: string | null = null;
  #times = 1;

  constructor(tells: boolean) {
    this.now = tells ? 'start-1' : null;
  }

  again(): void {
    this.#times += 1;
    if (this.now !== null) this.now = `start-${this.#times}`;
  }
}

/** Queries that are asked of a machine over a link. @param noted Called when a start is noted in the place of another. */
export function startsOn(starts: SimStarts, link: Link, noted: () => void): Parameters<typeof startsNotedIn>[0] {
  return {
    facts: () => link.carry(() => ({ ...HOST_FACTS, bootId: starts.now }), 'read'),
    readFile: () => link.carry(() => bytesOf(starts.noted ?? undefined), 'read'),
    writeFile: (_path, text) =>
      link.carry(() => {
        if (starts.noted !== null) noted();
        starts.noted = String(text).trim();
      }),
  };
}

const HOST_FACTS = { hostname: 'sim', platform: 'sim', zone: 'UTC', home: HOME } as const;

/** Disks that were wiped: making a new one costs as much as a tenth of a schedule. */
const SPARE_DISKS: MemoryDisk[] = [];

/** An empty disk. */
export function spareDisk(): MemoryDisk {
  return SPARE_DISKS.pop() ?? new MemoryDisk();
}

/** The schedule that had it is over. */
export function giveBack(disk: MemoryDisk): void {
  disk.wipe();
  SPARE_DISKS.push(disk);
}
