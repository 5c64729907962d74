/**
 * Connects the parts that keep commands, their outcomes and the coordinator. Everything that touches the machine comes in by ports: the same
 * code runs in the product and in simulations.
 */
import { type LocalClock, type Log, messageOf } from '@drover/base';
import type { HelloAnswer, HelloRequest, Redactor, UnreadCommand, CommandEnvelope } from '@drover/protocol';
import type { ConditionRead } from './condition/condition.ts';
import { Executor } from './execute/executor.ts';
import type { Confine, Hands } from './execute/ports.ts';
import type { MachineKeys } from './identity/machine-key.ts';
import { Intake } from './intake.ts';
import type { CrashPoint } from './crash-point.ts';
import type { Profiles } from './panes/agent-profile.ts';
import { FleetProfiles } from './panes/fleet-profiles.ts';
import type { Panes } from './panes/panes.ts';
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

/** Data that the agent keeps on its disk. */
export interface Stores {
  readonly db: AgentDatabase;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly knownWorkers: KnownWorkers;
}

/** Opens the data that an earlier life of the agent left. */
export function openStores(db: AgentDatabase, clock: LocalClock, redactor?: Redactor): Stores {
  const outbox = new Outbox(db, clock, { redactor });
  return { db, outbox, journal: new Journal(db, outbox), knownWorkers: new KnownWorkers(db) };
}

interface CoreOptions {
  readonly stores: Stores;
  readonly hands: Hands;
  readonly panes: Pick<Panes, 'hold' | 'tellPanes' | 'tellScreens'>;
  readonly profiles: Profiles;
  readonly keys: MachineKeys;
  readonly machineName: string;
  readonly joinToken: string | undefined;
  readonly version: string;
  /** Facts about the machine for a hello. */
  readonly facts: () => Promise<HelloRequest['facts']>;
  /** Directories for checkouts here; absent: there are none. */
  readonly places: HelloRequest['places'];
  /** Condition of the machine; absent: it is not reported. */
  readonly condition?: () => ConditionRead | null;
  /** Gives panes their tokens; absent: there are no panes. */
  readonly workerAccess?: Pick<WorkerAccess, 'connected'>;
  /** Sends and fetches parcels; absent: there is no git. */
  readonly parcels?: Pick<Parcels, 'connected'>;
  /** Connects people to panes; absent: there are no panes. */
  readonly terminals?: Pick<Terminals, 'connected'>;
  /** Base URLs of the coordinator's replicas. */
  readonly urls: readonly string[];
  readonly post: Post;
  readonly transport: 'auto' | 'poll';
  readonly onConnected?: (() => void) | undefined;
  readonly confine: Confine;
  readonly clock: LocalClock;
  readonly random: () => number;
  readonly ids: () => string;
  readonly log: Log;
  /** Disconnects from the coordinator. */
  readonly signal: AbortSignal;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** Core of the agent for one life. Disposing it stops running commands, which stay in the journal as begun. */
export class Core implements AsyncDisposable {
  readonly #options: CoreOptions;
  readonly #executor: Executor;
  readonly #intake: Intake;

  /** Concludes commands of an earlier life before anything else happens. */
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

  /** Takes over the answer of a hello: first the settings of its workers, then reports the whole list of panes and their screens. */
  async #greeted({ workers, accessToken }: HelloAnswer, api: CoordinatorApi): Promise<void> {
    const { panes, workerAccess, parcels, terminals, stores, log } = this.#options;
    this.#intake.rememberWorkers(workers);
    parcels?.connected({ url: api.url, accessToken });
    terminals?.connected({ url: api.url, accessToken });
    // Runs beside the rest: its tokens serve only looks from a pane.
    void workerAccess?.connected(
      { api, accessToken, coordinator: coordinatorOf(stores.db) },
      stores.knownWorkers.all(),
    );
    try {
      await panes.tellPanes();
      await panes.tellScreens();
    } catch (error) {
      // A machine without tmux still answers; the list follows when its panes can be seen.
      log('warn', `Could not list the panes: ${messageOf(error)}`);
    }
  }
}
