// What does the coordinator need of a store? The SQL store answers it; another one would be held to the same tests.
import type {
  DecisionRecord,
  Op,
  OpResult,
  PolicyChanges,
  Receipt,
  RecordedDecision,
  Reply,
  Worker,
  WorkerEvent,
  WorkerStatus,
} from '@drover/core';
import type { ObservationBody, Query, QueryResult, Seat } from '@drover/protocol';
import type { RecoveryStore, RecoveryTransaction } from './recovery-port.ts';

/** How a project is worked on. From `drover.toml`. */
export interface ProjectConfig {
  readonly copyFiles: readonly string[];
  /** Checks before a merge, each a program and its arguments. */
  readonly validate: readonly (readonly string[])[];
  readonly validateTimeoutMs: number;
  readonly runHooks: boolean;
  readonly preamble: string;
  /** Changes to the recovery policy. Absent: the defaults hold. */
  readonly policy?: ProjectPolicy;
}

/** Changes to the default policy: those of the project, and on top of them those of single workers by name. */
export interface ProjectPolicy {
  readonly project: PolicyChanges;
  readonly workers: Readonly<Record<string, PolicyChanges>>;
}

/** A project as it is stored. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly root: string;
  readonly defaultBranch: string;
  readonly config: ProjectConfig;
  readonly mergeWorkerId: string | null;
  /** The worker that somebody looked at last: what `accept` and `reject` mean without a name. */
  readonly lastReviewedId: string | null;
}

/** A project as its configuration names it. */
export type NewProject = Omit<Project, 'mergeWorkerId' | 'lastReviewedId'>;

/** What a person chose for a worker. */
export interface WorkerOptions {
  readonly profile: string;
  readonly model: string | null;
  readonly rolePrompt: string;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly excludedFromPool: boolean;
  readonly sessionWidth: number;
  readonly sessionHeight: number;
}

/** A worker as it is stored. Times are epoch milliseconds. */
export interface WorkerRow {
  readonly id: string;
  readonly projectId: string;
  readonly machineId: string;
  readonly name: string;
  readonly options: WorkerOptions;
  readonly state: Worker;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A machine as it is stored. Times are epoch milliseconds of the coordinator. */
export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly facts: Readonly<Record<string, string>> | null;
  readonly epoch: number;
  readonly agentEpoch: string | null;
  readonly storedThrough: number;
  readonly version: string | null;
  readonly lastSeenAt: number | null;
  readonly nonce: { readonly value: string; readonly expiresAt: number } | null;
  readonly accessTokenExpiresAt: number | null;
}

/** One line of the decision log. */
export interface EventRow {
  readonly id: number;
  readonly workerId: string;
  readonly workerName: string;
  readonly at: number;
  readonly orderId: string | null;
  readonly event: WorkerEvent;
  readonly rules: readonly string[];
  readonly records: readonly DecisionRecord[];
  readonly reply: Reply;
  readonly statusBefore: WorkerStatus;
  readonly statusAfter: WorkerStatus;
  /** The version of the policy that it was decided under; null in rows of an older build. */
  readonly policy: string | null;
}

/** One decision, with everything that is needed to take it again. */
export interface NewEvent extends Omit<EventRow, 'id' | 'policy'> {
  /** No line of the history that people read: kept to be decided again. */
  readonly isQuiet: boolean;
  readonly decided: Omit<RecordedDecision, 'id' | 'event'>;
}

/** A whole policy as it is kept. `createdAt` is when it was first decided under, epoch milliseconds. */
export interface PolicyRow {
  readonly version: string;
  readonly document: unknown;
  readonly createdAt: number;
}

/** The body of a command: an order of the policy, or a question of a person. */
export type CommandBody =
  | { readonly kind: 'op'; readonly seq: number; readonly op: Op }
  | { readonly kind: 'query'; readonly query: Query };

/**
 * A command for the outbox. `id` is a UUIDv7, so that commands sort in the order in which they were made; `timeoutMs`
 * counts from its receipt by the machine.
 */
export interface NewCommand {
  readonly id: string;
  readonly machineId: string;
  readonly workerId: string;
  readonly body: CommandBody;
  readonly seat: Seat;
  readonly timeoutMs: number;
}

/** The evidence of one attempt to deliver a text. `at` is epoch milliseconds. */
export interface ReceiptRow {
  readonly outgoingId: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly receipt: Receipt;
  readonly at: number;
}

/** A task as the API took it. `createdAt` is epoch milliseconds; `status` is `new` until the policy has spoken. */
export interface TaskRow {
  readonly id: string;
  readonly projectId: string;
  readonly workerId: string | null;
  readonly workerName: string;
  readonly prompt: string;
  readonly status: string;
  readonly createdAt: number;
}

/** Something that is due. `key` is unique within `kind`. */
export interface DueWork {
  readonly kind: 'worker-deadline' | 'worker-event' | 'patrol' | 'account' | 'queue';
  readonly key: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

/** Agent profiles that replace or add to those of the build. */
export interface ProfileSet {
  readonly revision: number;
  readonly documents: readonly { readonly name: string; readonly revision: number; readonly document: unknown }[];
}

/** Who a token of the people's API belongs to. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly role: 'viewer' | 'responder' | 'operator' | 'admin';
  readonly expiresAt: number | null;
}

/**
 * What can be done inside one transaction. Row locks are taken in this order: workers by their ids, project, account,
 * name (`lockName`), escalation, work item. Two that took them otherwise could wait for one another.
 */
export interface StoreTransaction extends RecoveryTransaction {
  /** Locks the row until the end of the transaction. */
  lockWorker(id: string): Promise<WorkerRow | null>;
  /** Locks the row until the end of the transaction. */
  lockProject(id: string): Promise<Project | null>;
  readProject(id: string): Promise<Project | null>;
  readMachine(id: string): Promise<Machine | null>;
  listWorkers(filter: { readonly projectId?: string; readonly machineId?: string }): Promise<readonly WorkerRow[]>;
  setMergeWorker(projectId: string, workerId: string | null): Promise<void>;
  insertWorker(row: Omit<WorkerRow, 'version' | 'updatedAt'>): Promise<'inserted' | 'name-taken'>;
  saveWorker(row: WorkerRow, now: number): Promise<void>;
  deleteWorker(id: string): Promise<void>;
  /** @returns false when this observation was stored before. */
  insertObservation(observation: NewObservation): Promise<boolean>;
  setStoredThrough(machineId: string, agentEpoch: string, seq: number): Promise<void>;
  insertEvent(event: NewEvent): Promise<void>;
  /** Keeps a policy under its version, if it is not kept yet. */
  keepPolicy(policy: PolicyRow): Promise<void>;
  findOrder(workerId: string, orderId: string): Promise<Reply | null>;
  insertCommands(commands: readonly NewCommand[], now: number): Promise<void>;
  finishCommand(id: string, result: OpResult | QueryResult, now: number): Promise<void>;
  /** Orders of this worker older than `seq` that were not finished will not be sent any more. */
  dropCommandsBefore(workerId: string, seq: number): Promise<void>;
  /** Replaces the whole set of a worker's deadlines. */
  setDeadlines(workerId: string, deadlines: Readonly<Record<string, number>>): Promise<void>;
  schedule(work: readonly DueWork[]): Promise<void>;
  /** Removes the row unless it was armed anew for another time since. */
  finishDueWork(work: DueWork): Promise<void>;
  /**
   * Removes what was, or ended, before then. What is open stays, whatever its age, with its errors.
   */
  prune(before: number): Promise<void>;
  insertReceipt(workerId: string, receipt: ReceiptRow): Promise<void>;
  insertTask(task: TaskRow): Promise<void>;
  setTaskStatus(id: string, status: string, now: number): Promise<void>;
}

/**
 * An observation to be stored once by (machine, `agentEpoch`, `seq`). `seenAt` is the machine's clock, `now` the
 * coordinator's, both epoch milliseconds.
 */
export interface NewObservation {
  readonly machineId: string;
  readonly agentEpoch: string;
  readonly seq: number;
  readonly workerId: string | null;
  readonly body: ObservationBody;
  readonly seenAt: number;
  readonly now: number;
}

/** `drover_commands`: machine ids. `drover_events`: worker ids. Separated by commas; `*` for any. */
export type Channel = 'drover_commands' | 'drover_events';

/**
 * The database as the coordinator sees it. Every method beside `transaction` is a transaction of its own. Most are
 * repeated after a lost connection (sql/store.ts says which are not, and why); they throw when the database stays away.
 */
export interface Store extends RecoveryStore {
  /** Runs the work in one transaction and repeats it after conflicts and lost connections: it must be safe to repeat as a whole. */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  /** @throws when the database does not answer. */
  ping(): Promise<void>;
  /** Tells all replicas that there is something to look at. A hint: it may get lost. */
  notify(channel: Channel, payload: string): Promise<void>;

  upsertProject(project: NewProject, now: number): Promise<Project>;
  listProjects(): Promise<readonly Project[]>;
  setLastReviewed(projectId: string, workerId: string): Promise<void>;

  createJoinToken(sha256: string, expiresAt: number): Promise<void>;
  /** Uses the token and adds the machine, or says why not. A key that is known keeps its machine. */
  joinMachine(
    join: NewMachine,
  ): Promise<{ readonly kind: 'joined'; readonly machineId: string } | { readonly kind: 'bad-token' | 'name-taken' }>;
  setNonce(machineId: string, nonce: { value: string; expiresAt: number }): Promise<boolean>;
  /** Raises the epoch if the nonce is the one given out; the nonce is used up. */
  hello(hello: MachineHello): Promise<Machine | null>;
  machineByToken(sha256: string, now: number): Promise<Machine | null>;
  readMachine(id: string): Promise<Machine | null>;
  listMachines(): Promise<readonly Machine[]>;
  touchMachine(machineId: string, now: number): Promise<void>;

  /** Commands that this epoch of the machine has not been given, oldest first; marks them as sent in it. */
  takeCommands(machineId: string, epoch: number, limit: number): Promise<readonly PendingCommand[]>;
  ackCommands(machineId: string, ids: readonly string[]): Promise<void>;
  /**
   * What was sent but not finished is to be sent again: all of it when the machine lost its journal, else what was not
   * acknowledged, as after an answer that got lost.
   */
  resendCommands(machineId: string, which: 'all' | 'unacknowledged'): Promise<void>;
  commandResult(id: string): Promise<OpResult | QueryResult | null>;

  readWorker(id: string): Promise<WorkerRow | null>;
  /** The worker that an order with this id was given to, if it was answered before. */
  workerOfOrder(orderId: string): Promise<string | null>;
  listWorkers(filter?: { readonly projectId?: string; readonly machineId?: string }): Promise<readonly WorkerRow[]>;
  listEvents(filter: EventFilter): Promise<readonly EventRow[]>;
  /** Every decision of a worker from this id on, the quiet ones too, oldest first. */
  listDecisions(
    workerId: string,
    page: { readonly from: number; readonly limit: number },
  ): Promise<readonly RecordedDecision[]>;
  /** The id from which a worker's history can be decided again: the last one before `since`, else the first there is. */
  replayableFrom(workerId: string, since: number | null): Promise<number | null>;
  /** Policies that were decided under, the newest first. */
  listPolicies(): Promise<readonly PolicyRow[]>;
  listReceipts(workerId: string, limit: number): Promise<readonly ReceiptRow[]>;

  /** Leases due rows to the caller, oldest first. A row whose lease ran out can be claimed again. */
  claimDueWork(now: number, options: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueWork[]>;
  /** When the next row is due, if any. */
  nextDueAt(): Promise<number | null>;

  /** Profile documents beside those of the build, with the newest revision among them; 0 when there never was one. */
  readProfiles(): Promise<ProfileSet>;
  /** Replaces a document; null takes it back. @returns the new revision. */
  putProfile(name: string, document: unknown, now: number): Promise<number>;
  createApiToken(token: ApiToken & { readonly sha256: string }, now: number): Promise<void>;
  apiTokenBySha256(sha256: string): Promise<ApiToken | null>;
}

/** Which lines of the decision log are wanted. */
export interface EventFilter {
  readonly workerId?: string;
  /** Only events after this id, oldest first; without it the newest, newest first. */
  readonly after?: number;
  readonly limit: number;
}

/** A machine that shows a join token. `id` is used if the key is new. */
export interface NewMachine {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly tokenSha256: string;
  readonly now: number;
}

/**
 * What a hello changes: the nonce that it uses up, and the access token that it gets, by its SHA-256. Times are epoch
 * milliseconds.
 */
export interface MachineHello {
  readonly machineId: string;
  readonly nonce: string;
  readonly agentEpoch: string;
  readonly version: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly accessTokenSha256: string;
  readonly accessTokenExpiresAt: number;
  readonly now: number;
}

/** A command as it is handed to its machine. */
export interface PendingCommand {
  readonly id: string;
  readonly body: CommandBody;
  readonly seat: Seat;
  readonly timeoutMs: number;
}
