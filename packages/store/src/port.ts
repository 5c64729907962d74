// What does the coordinator need of a store? The SQL store answers it; another one would be held to the same tests.
import type { OpResult, RecordedDecision, Reply } from '@drover/core';
import type { ObservationBody, QueryResult, Seat } from '@drover/protocol';
import type { RecoveryStore, RecoveryTransaction } from './recovery-port.ts';
import type {
  Project,
  NewProject,
  WorkerRow,
  Machine,
  EventRow,
  NewEvent,
  PolicyRow,
  CommandBody,
  NewCommand,
  ReceiptRow,
  TaskRow,
  DueWork,
  ProfileSet,
  ApiToken,
} from './rows.ts';

export type * from './rows.ts';

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
  /** Saves the worker, arms exactly the deadlines of its state, and adds the event: `saveWorker`, `setDeadlines` and `insertEvent` at once. */
  saveDecision(decision: SavedDecision, now: number): Promise<void>;
  deleteWorker(id: string): Promise<void>;
  /**
   * Stores an observation, and that its buffer is stored through it. @returns false when it was stored before.
   */
  insertObservation(observation: NewObservation): Promise<boolean>;
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
  /**
   * Removes from before then screens, finished orders and their results (history tells them), decisions that nobody
   * reads as history, and of the others what it took to decide them again: from then on a replay is exact.
   */
  thinHistory(before: number): Promise<void>;
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

/** What is written for every decision: the worker as it is from now on, and the line of its history. */
export interface SavedDecision {
  readonly row: WorkerRow;
  readonly event: NewEvent;
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
  /**
   * The clock of the database, epoch milliseconds: the one time that all replicas share (docs/adr/0072). Not repeated: an
   * answer is worth something only to whoever knows when it was asked for.
   */
  readClock(): Promise<number>;
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
