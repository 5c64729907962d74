/** What does every order have at hand? */
import type { Host } from '@drover/host';
import type { Seat } from '@drover/protocol';
import type { ProgramVersions } from '../host/program-versions.ts';
import type { Clock, CrashPoint, Log } from '../options.ts';
import type { Profiles } from '../panes/agent-profile.ts';
import type { Beliefs } from '../panes/beliefs.ts';
import type { Observer } from '../panes/observer.ts';
import type { Shards } from '../panes/shards.ts';
import type { Book } from '../store/book.ts';
import type { Journal } from '../store/journal.ts';

/** The parts of the machine agent that orders use. */
export interface Tools {
  readonly host: Host;
  readonly versions: ProgramVersions;
  readonly tmux: Shards;
  readonly observer: Observer;
  readonly beliefs: Beliefs;
  readonly profiles: Profiles;
  readonly book: Book;
  readonly journal: Journal;
  readonly dataDir: string;
  readonly home: string;
  /** Directories in which projects may lie; empty for any. */
  readonly allowedRoots: readonly string[];
  /** Program and arguments of `drover hook`; null: failed tools are not answered. */
  readonly hookCommand: readonly string[] | null;
  /** Makes a word that cannot be guessed. */
  readonly newSecret: () => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** One order being carried out. */
export interface OrderContext extends Tools {
  readonly commandId: string;
  readonly seq: number;
  readonly seat: Seat;
  /** Fires when the order's time is over or the agent stops. */
  readonly signal: AbortSignal;
}
