// What does the coordinator need of a store? The SQL store answers it; another one would be held to the same tests.
import type { OpResult, RecordedDecision, Reply } from '@drover/core';
import type { ObservationBody, QueryResult, Seat } from '@drover/protocol';
import type { AuditFilter, AuditHead, AuditPlace, AuditRow, NewAudit } from './audit-rows.ts';
import type { RecoveryStore, RecoveryTransaction } from './recovery-port.ts';
import type {
  Cause,
  Project,
  NewProject,
  WorkerRow,
  ReviewRow,
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
  ListedToken,
  WorkerToken,
} from './rows.ts';

export type * from './rows.ts';
export type * from './audit-rows.ts';

/**
 * What can be done inside one transaction. Row locks are taken in this order: workers by their ids, project, account,
 * name (`lockName`), escalation, work item. Two that took them otherwise could wait for one another.
 */
export interface StoreTransaction extends RecoveryTransaction {
  /** Locks the row until the end of the transaction. With a machine: only if the worker has its seat there. */
  lockWorker(id: string, on?: { readonly machineId: string }): Promise<WorkerRow | null>;
  /** Locks the row until the end of the transaction. */
  lockProject(id: string): Promise<Project | null>;
  readProject(id: string): Promise<Project | null>;
  readMachine(id: string): Promise<Machine | null>;
  listWorkers(filter: { readonly projectId?: string; readonly machineId?: string }): Promise<readonly WorkerRow[]>;
  /** The machines of those of these workers that are there. Locks nothing. */
  machinesOfWorkers(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What a reviewer has seen of a worker's present work; null: nothing. */
  findReview(workerId: string, reviewer: string): Promise<ReviewRow | null>;
  dropReviews(workerId: string): Promise<void>;
  setMergeWorker(projectId: string, workerId: string | null): Promise<void>;
  insertWorker(row: Omit<WorkerRow, 'version' | 'updatedAt'>): Promise<'inserted' | 'name-taken'>;
  saveWorker(row: WorkerRow, now: number): Promise<void>;
  /** Saves the worker, arms exactly the deadlines of its state, and adds the event: `saveWorker`, `setDeadlines` and `insertEvent` at once. */
  saveDecision(decision: SavedDecision, now: number): Promise<void>;
  deleteWorker(id: string): Promise<void>;
  /** Ends the access of a machine, until it is let in by an invitation that is younger. @returns false when there is none. */
  revokeMachine(machineId: string, now: number): Promise<boolean>;
  /** Ends the access token and asks for a new key. @returns false when there is no such machine, or it is revoked. */
  rotateMachine(machineId: string, now: number): Promise<boolean>;
  /** Removes a machine with its orders; what it saw stays until it is pruned. @returns false when it has workers. */
  removeMachine(id: string): Promise<boolean>;
  /**
   * Stores an observation, and that its buffer is stored through it. The session is the machine's present one until the end
   * of the transaction.
   *
   * @returns `known` when it was stored before, `superseded` when the machine has said hello since: then nothing was written.
   */
  insertObservation(observation: NewObservation): Promise<'stored' | 'known' | 'superseded'>;
  insertEvent(event: NewEvent): Promise<void>;
  /** Keeps a policy under its version, if it is not kept yet. */
  keepPolicy(policy: PolicyRow): Promise<void>;
  /** Replaces a document; null takes it back. @returns the new revision. */
  putProfile(name: string, document: unknown, now: number): Promise<number>;
  /** Adds a row to the audit. Its chain stays locked until the transaction ends: take it last. */
  audit(entry: NewAudit): Promise<void>;
  /** Of people and of workers, by name. */
  listApiTokens(): Promise<readonly ListedToken[]>;
  /** Unlike `createApiToken` it replaces nothing. */
  insertApiToken(token: ApiToken & { readonly sha256: string }, now: number): Promise<'inserted' | 'name-taken'>;
  deleteApiToken(id: string): Promise<void>;
  /** Gives a worker a token of its own; the one before is out. It is removed with the worker. */
  issueWorkerToken(token: WorkerToken, now: number): Promise<void>;
  findOrder(workerId: string, orderId: string): Promise<Reply | null>;
  /** Who gave this order to the worker; null where that is not known. */
  causeOfOrder(workerId: string, orderId: string): Promise<Cause | null>;
  insertCommands(commands: readonly NewCommand[], now: number): Promise<void>;
  /**
   * Writes a result down, if the command is the one that the machine says it is; the first result stays.
   *
   * @returns `foreign` for a command of another machine, worker, number or kind, `unknown` when there is none of this id.
   */
  finishCommand(finished: FinishedCommand, now: number): Promise<'finished' | 'foreign' | 'unknown'>;
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

/** What a hello began: over as soon as the machine says the next one. `agentEpoch` is that of its buffer. */
export interface MachineSession {
  readonly machineId: string;
  readonly epoch: number;
  /** Null: the machine has never said hello. */
  readonly agentEpoch: string | null;
}

/** How a command ended, as a machine says. */
export interface FinishedCommand {
  readonly id: string;
  readonly machineId: string;
  /** The order that it was; null: a query. */
  readonly op: { readonly workerId: string; readonly seq: number } | null;
  readonly result: OpResult | QueryResult;
}

/**
 * An observation to be stored once by (machine, `agentEpoch`, `seq`). `seenAt` is the machine's clock, `now` the
 * coordinator's, both epoch milliseconds.
 */
export interface NewObservation extends MachineSession {
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
  /** Absent: nothing that anybody ordered follows from it. */
  readonly audit?: NewAudit;
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
  /** Takes the place of what the reviewer saw of the worker before. */
  saveReview(review: ReviewRow): Promise<void>;
  /** What a reviewer has seen, the newest first. */
  listReviews(reviewer: string): Promise<readonly ReviewRow[]>;

  /** The seed of the fleet's private key: the one that is stored, else `fresh`, which is stored by the first that asks. */
  fleetSeed(fresh: string, now: number): Promise<string>;
  createJoinToken(token: NewJoinToken): Promise<void>;
  /**
   * Uses the token and adds the machine, or says why not. A key that is known keeps its machine; one that is revoked comes back
   * by a token that was made after that.
   */
  joinMachine(
    join: NewMachine,
  ): Promise<{ readonly kind: 'joined'; readonly machineId: string } | { readonly kind: 'bad-token' | 'name-taken' }>;
  /** Raises the epoch, if it is still the one that the challenge was made for and the machine is not revoked. */
  hello(hello: MachineHello): Promise<Machine | null>;
  machineByToken(sha256: string, now: number): Promise<Machine | null>;
  readMachine(id: string): Promise<Machine | null>;
  listMachines(): Promise<readonly Machine[]>;
  /** The machine was heard of. @returns false, and notes nothing, when the session is over, or the machine is revoked or removed. */
  touchMachine(session: MachineSession, now: number): Promise<boolean>;

  /** Commands that this epoch of the machine has not been given, oldest first; marks them as sent in it. */
  takeCommands(machineId: string, epoch: number, limit: number): Promise<readonly PendingCommand[]>;
  /** These stand in the machine's journal. Nothing is noted when the session is over, nor of commands of other machines. */
  ackCommands(session: MachineSession, ids: readonly string[]): Promise<void>;
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
  listAudit(filter: AuditFilter): Promise<readonly AuditRow[]>;
  /** All rows of the audit, chain by chain, from behind a place on. */
  auditPage(after: AuditPlace, limit: number): Promise<readonly AuditRow[]>;
  /** The last row of each chain. */
  auditHeads(): Promise<readonly AuditHead[]>;
  createApiToken(token: ApiToken & { readonly sha256: string }, now: number): Promise<void>;
  apiTokenBySha256(sha256: string): Promise<ListedToken | null>;
  listApiTokens(): Promise<readonly ListedToken[]>;
  /** Notes that a token is used. */
  touchApiToken(id: string, now: number): Promise<void>;
  deleteApiToken(id: string): Promise<void>;
}

/** Which lines of the decision log are wanted. */
export interface EventFilter {
  /** Only of these workers; absent: of all. */
  readonly workerIds?: readonly string[];
  /** Only events after this id, oldest first; without it the newest, newest first. */
  readonly after?: number;
  readonly limit: number;
}

/** A token for one machine, by its SHA-256. Times are epoch milliseconds. */
export interface NewJoinToken {
  readonly sha256: string;
  readonly expiresAt: number;
  readonly now: number;
  /** Written in the same transaction. */
  readonly audit?: NewAudit;
}

/** A machine that shows a join token. `id` is used if the key is new. */
export interface NewMachine {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly tokenSha256: string;
  readonly now: number;
  /** Added if the key is new. */
  readonly audit?: NewAudit;
}

/**
 * What a hello changes: the epoch that its challenge was made for, the key that the machine is known by from now on, and the
 * access token that it gets, by its SHA-256. Times are epoch milliseconds.
 */
export interface MachineHello {
  readonly machineId: string;
  readonly epoch: number;
  readonly publicKey: string;
  /** Whether the key that was wanted is there. */
  readonly rotated: boolean;
  readonly dialledUrl: string;
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
