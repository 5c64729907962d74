/** Parts of the machine agent that every command can use. */
import type { LocalClock, Log } from '@drover/base';
import type { Host } from '@drover/host';
import type { Redactor } from '@drover/protocol';
import type { Cages } from '../cage/cages.ts';
import type { Channels } from '../channels/channels.ts';
import type { DeliveryFiles } from '../deliver/records.ts';
import type { ProgramVersions } from '../host/program-versions.ts';
import type { CrashPoint } from '../crash-point.ts';
import type { Profiles } from '../panes/agent-profile.ts';
import type { Panes } from '../panes/panes.ts';
import type { Sessions } from '../panes/servers.ts';
import type { ConversationNames } from '../store/conversation-names.ts';
import type { FrozenPlaces } from '../store/frozen-places.ts';
import type { KnownWorkers } from '../store/known-workers.ts';
import type { Journal } from '../store/journal.ts';
import type { Parcels } from '../sync/parcels.ts';
import type { WorkerAccess } from '../sync/worker-access.ts';
import type { Terminals } from '../terminals/terminals.ts';
import type { RunningCommand, UsageTeller } from './ports.ts';

/** The parts of the machine agent that commands use. */
export interface Tools {
  readonly host: Host;
  readonly versions: ProgramVersions;
  readonly tmux: Sessions;
  readonly panes: Panes;
  /** Files that deliveries keep and read beside the pane. */
  readonly files: DeliveryFiles;
  readonly profiles: Profiles;
  readonly channels: Pick<Channels, 'of'>;
  readonly cages: Cages;
  readonly workerAccess: Pick<WorkerAccess, 'renew'>;
  readonly parcels: Pick<Parcels, 'send' | 'fetch' | 'askHome' | 'spool'>;
  readonly terminals: Pick<Terminals, 'open'>;
  readonly knownWorkers: KnownWorkers;
  readonly frozenPlaces: FrozenPlaces;
  readonly conversationNames: ConversationNames;
  readonly usage: UsageTeller;
  readonly journal: Journal;
  /** Directory of Drover on the machine with the panes: hooks, depots, homes of cages. */
  readonly machineDir: string;
  /** Short private directory for sockets there. */
  readonly runtimeDir: string;
  /** Home directory that the program of the command's worker has. */
  readonly home: string;
  /** Program and arguments of `drover hook`; null: failed tools are not answered. */
  readonly hookCommand: readonly string[] | null;
  /** Makes a word that cannot be guessed. */
  readonly newSecret: () => string;
  readonly redactor: Redactor;
  readonly clock: LocalClock;
  readonly log: Log;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** Command that is being carried out, with all parts. */
export interface CommandContext extends Tools, RunningCommand {}

/** Parts for a delivery, and for looking for its traces. */
export type DeliveryContext = RunningCommand &
  Pick<
    Tools,
    | 'panes'
    | 'files'
    | 'profiles'
    | 'channels'
    | 'knownWorkers'
    | 'conversationNames'
    | 'journal'
    | 'machineDir'
    | 'home'
    | 'clock'
    | 'log'
    | 'crashPoint'
  >;

/** Parts for answering a dialog. */
export type AnswerContext = RunningCommand & Pick<Tools, 'panes' | 'profiles' | 'channels' | 'clock'>;
