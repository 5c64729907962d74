// What the coordinator needs of a store: every subject of this folder. Each store behind it is held to the same tests.
import type { AccountStore, AccountTransaction } from './accounts.ts';
import type { ChannelStore, ChannelTransaction } from './channels.ts';
import type { CheckpointStore, CheckpointTransaction } from './checkpoints.ts';
import type { CommandStore, CommandTransaction } from './commands.ts';
import type { DueWorkStore, DueWorkTransaction } from './due-work.ts';
import type { EscalationStore, EscalationTransaction } from './escalations.ts';
import type { HistoryStore, HistoryTransaction } from './history.ts';
import type { IncidentStore, IncidentTransaction } from './incidents.ts';
import type { MachineStore, MachineTransaction } from './machines.ts';
import type { ParcelStore, ParcelTransaction } from './parcels.ts';
import type { PeopleStore, PeopleTransaction } from './people.ts';
import type { PolicyStore, PolicyTransaction } from './policies.ts';
import type { ProfileStore, ProfileTransaction } from './profiles.ts';
import type { ProjectStore, ProjectTransaction } from './projects.ts';
import type { AnnouncementStore } from './public/announcements.ts';
import type { WebhookStore, WebhookTransaction } from './public/webhooks.ts';
import type { KeptAnswerStore } from './public/kept-answers.ts';
import type { QueueStore, QueueTransaction } from './queue.ts';
import type { ReviewStore, ReviewTransaction } from './reviews.ts';
import type { TaskStore, TaskTransaction } from './tasks.ts';
import type { TerminalStore, TerminalTransaction } from './terminals.ts';
import type { WorkerStore, WorkerTransaction } from './workers.ts';

/** `drover_commands`: machine ids. `drover_events`: worker ids. Separated by commas; `*` for any. */
export type Channel = 'drover_commands' | 'drover_events';

/**
 * What can be done inside one transaction. Row locks are taken in this order: workers by their ids, the terms of a
 * machine (a name), project, account, other names (`lockName`), escalation, work item. Two that took them otherwise could wait for one another.
 */
export interface StoreTransaction
  extends
    ProjectTransaction,
    WorkerTransaction,
    ReviewTransaction,
    TaskTransaction,
    MachineTransaction,
    CommandTransaction,
    HistoryTransaction,
    PolicyTransaction,
    ProfileTransaction,
    DueWorkTransaction,
    PeopleTransaction,
    IncidentTransaction,
    EscalationTransaction,
    CheckpointTransaction,
    QueueTransaction,
    AccountTransaction,
    ParcelTransaction,
    TerminalTransaction,
    ChannelTransaction,
    WebhookTransaction {}

/**
 * The database as the coordinator sees it. Every method beside `transaction` is a transaction of its own. Most are
 * repeated after a lost connection (sql/store.ts says which are not, and why); they throw when the database stays away.
 */
export interface Store
  extends
    ProjectStore,
    WorkerStore,
    ReviewStore,
    MachineStore,
    CommandStore,
    HistoryStore,
    PolicyStore,
    ProfileStore,
    DueWorkStore,
    PeopleStore,
    IncidentStore,
    EscalationStore,
    CheckpointStore,
    QueueStore,
    TaskStore,
    AccountStore,
    ParcelStore,
    TerminalStore,
    ChannelStore,
    KeptAnswerStore,
    AnnouncementStore,
    WebhookStore {
  /** Runs the work in one transaction and repeats it after conflicts and lost connections: it must be safe to repeat as a whole. */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  /** @throws when the database does not answer. */
  ping(): Promise<void>;
  /** Tells all replicas that there is something to do. A hint: it may get lost. */
  notify(channel: Channel, payload: string): Promise<void>;
}
