/**
 * How do the parts stand together that keep commands, their outcomes and the coordinator? Everything that touches the machine
 * comes in by ports: the same code runs in the product and in simulations.
 */
import type { HelloAnswer, HelloRequest, Redactor, UnreadCommand, CommandEnvelope } from '@drover/protocol';
import type { ConditionRead } from './condition/condition.ts';
import { Executor } from './execute/executor.ts';
import type { Confine, Hands, Panes } from './execute/ports.ts';
import type { MachineKeys } from './identity/machine-key.ts';
import { Intake } from './intake.ts';
import type { Clock, CrashPoint, Log } from './ports.ts';
import type { Profiles } from './panes/agent-profile.ts';
import { FleetProfiles } from './panes/fleet-profiles.ts';
import { KnownWorkers } from './store/known-workers.ts';
import type { AgentDatabase } from './store/database.ts';
import { Journal } from './store/journal.ts';
import { Outbox } from './store/outbox.ts';
import { coordinatorOf } from './sync/identity.ts';
import type { CoordinatorApi } from './sync/api.ts';
import type { Post } from './sync/http-adapter.ts';
import { keepInTouch } from './sync/keeper.ts';
import type { Parcels } from './sync/parcels.ts';
import type { WorkerAccess } from './sync/worker-access.ts';
import type { Terminals } from './terminals/terminals.ts';

/** What the agent keeps on its disk. */
export interface Stores {
  readonly db: AgentDatabase;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly knownWorkers: KnownWorkers;
}

/** Opens what a former life of the agent left behind. */
export function openStores(db: AgentDatabase, clock: Clock, redactor?: Redactor): Stores {
  const outbox = new Outbox(db, clock, redactor);
  return { db, outbox, journal: new Journal(db, outbox), knownWorkers: new KnownWorkers(db) };
}

/** What the core needs. */
interface CoreOptions {
  readonly stores: Stores;
  readonly hands: Hands;
  readonly panes: Panes;
  readonly profiles: Profiles;
  readonly keys: MachineKeys;
  readonly machineName: string;
  readonly joinToken: string | undefined;
  readonly version: string;
  /** What a hello says of the machine. */
  readonly facts: () => Promise<HelloRequest['facts']>;
  /** Where checkouts lie here; absent where there are none. */
  readonly places: HelloRequest['places'];
  /** How the machine is; absent where that is not told. */
  readonly condition?: () => ConditionRead | null;
  /** What gives panes their tokens; absent where there are no panes. */
  readonly workerAccess?: Pick<WorkerAccess, 'connected'>;
  /** What sends and fetches parcels; absent where there is no git. */
  readonly parcels?: Pick<Parcels, 'connected'>;
  /** What connects people to panes; absent where there are no panes. */
  readonly terminals?: Pick<Terminals, 'connected'>;
  /** Base URLs of the coordinator's replicas. */
  readonly urls: readonly string[];
  readonly post: Post;
  readonly transport: 'auto' | 'poll';
  readonly onConnected?: (() => void) | undefined;
  readonly confine: Confine;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ids: () => string;
  readonly log: Log;
  /** Ends the conversation with the coordinator. */
  readonly signal: AbortSignal;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** One life of the agent. Disposing it stops what is carried out; it stays in the journal as begun. */
export class Core implements AsyncDisposable {
  readonly #options: CoreOptions;
  readonly #executor: Executor;
  readonly #intake: Intake;

  /** What a former life was carrying out is concluded before anything else happens. */
  constructor(options: CoreOptions) {
    const { stores, log, crashPoint } = options;
    const { journal, knownWorkers } = stores;
    this.#options = options;
    this.#executor = new Executor({ ...options, journal });
    this.#intake = new Intake({ journal, knownWorkers, executor: this.#executor, log, crashPoint });
    this.#intake.concludeUnfinished();
  }

  /** Runs until the signal fires. Never rejects. */
  keepInTouch(): Promise<void> {
    const { stores, profiles, keys, machineName, joinToken, version, facts, places, ids, ...rest } = this.#options;
    const { db, outbox } = stores;
    const { log } = rest;
    const agentEpoch = db.fact('agent-epoch', ids);
    return keepInTouch({
      ...rest,
      outbox,
      identity: { db, keys, machineName, joinToken, agentEpoch, version, facts, places, salt: ids, log },
      fleetProfiles: new FleetProfiles(db, profiles, log),
      onHello: (hello, api) => this.#greeted(hello, api),
      receive: (command: CommandEnvelope | UnreadCommand, epoch: number) =>
        'unread' in command ? this.#intake.refuseUnread(command) : this.#intake.receive(command, epoch),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#executor[Symbol.asyncDispose]();
  }

  /** At each hello: the settings of its workers as they are now, then the whole list of panes and their screens. */
  async #greeted({ workers, accessToken }: HelloAnswer, api: CoordinatorApi): Promise<void> {
    const { panes, workerAccess, parcels, terminals, stores, log } = this.#options;
    this.#intake.rememberWorkers(workers);
    parcels?.connected({ url: api.url, accessToken });
    terminals?.connected({ url: api.url, accessToken });
    // Nothing waits for these: they are for a look from a pane.
    void workerAccess?.connected(
      { api, accessToken, coordinator: coordinatorOf(stores.db) },
      stores.knownWorkers.all(),
    );
    try {
      await panes.tellPanes();
      await panes.tellScreens();
    } catch (error) {
      // A machine without tmux is still one to talk to; the list follows when its panes can be seen.
      log('warn', `Could not list the panes: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
