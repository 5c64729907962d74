/** What does every order have at hand? */
import type { Host } from '@drover/host';
import type { Redactor } from '@drover/protocol';
import type { Cages } from '../cage/cages.ts';
import type { DeliveryFiles } from '../deliver/records.ts';
import type { ProgramVersions } from '../host/program-versions.ts';
import type { Clock, CrashPoint, Log } from '../ports.ts';
import type { Profiles } from '../panes/agent-profile.ts';
import type { Beliefs } from '../panes/beliefs.ts';
import type { Observer } from '../panes/observer.ts';
import type { PaneHouse, Sessions } from '../panes/house.ts';
import type { Understand } from '../panes/understand.ts';
import type { Book } from '../store/book.ts';
import type { Journal } from '../store/journal.ts';
import type { WorkerAccess } from '../sync/worker-access.ts';
import type { Order } from './ports.ts';

/** The parts of the machine agent that orders use. */
export interface Tools {
  readonly host: Host;
  readonly versions: ProgramVersions;
  readonly tmux: Sessions;
  readonly observer: Observer;
  readonly beliefs: Beliefs;
  readonly understand: Understand;
  /** What deliveries keep and read beside the pane. */
  readonly files: DeliveryFiles;
  readonly profiles: Profiles;
  readonly cages: Cages;
  readonly workerAccess: Pick<WorkerAccess, 'renew'>;
  readonly book: Book;
  readonly journal: Journal;
  readonly dataDir: string;
  /** The home directory that the program of the order's worker has. */
  readonly home: string;
  /** Program and arguments of `drover hook`; null: failed tools are not answered. */
  readonly hookCommand: readonly string[] | null;
  /** Makes a word that cannot be guessed. */
  readonly newSecret: () => string;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly log: Log;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** One order being carried out, with everything at hand. */
export interface OrderContext extends Tools, Order {}

/** What a delivery, and looking for its traces, needs of all that. */
export type DeliveryContext = Order &
  Pick<
    Tools,
    | 'beliefs'
    | 'understand'
    | 'files'
    | 'profiles'
    | 'book'
    | 'journal'
    | 'dataDir'
    | 'home'
    | 'clock'
    | 'log'
    | 'crashPoint'
  > & { readonly tmux: PaneHouse };

/** What answering a dialog needs. */
export type AnswerContext = Order & Pick<Tools, 'understand' | 'profiles' | 'clock'> & { readonly tmux: PaneHouse };
