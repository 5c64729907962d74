// Holds a database in memory, and runs its transactions side by side.
import type { ListedToken } from '../../../port/people.ts';
import type { DueWork } from '../../../port/due-work.ts';
import type { EventRow, NewEvent, ReceiptRow, RefusalRecord } from '../../../port/history.ts';
import type { Machine, NewObservation } from '../../../port/machines.ts';
import type { NewCommand } from '../../../port/commands.ts';
import type { ParcelRow } from '../../../port/parcels.ts';
import type { PolicyRow } from '../../../port/policies.ts';
import type { ProfileSet } from '../../../port/profiles.ts';
import type { Project } from '../../../port/projects.ts';
import type { ReviewRow } from '../../../port/reviews.ts';
import type { TerminalRow } from '../../../port/terminals.ts';
import type { UsageRow } from '../../../port/runs/usage.ts';
import type { TaskRow } from '../../../port/tasks.ts';
import type { WorkerRow } from '../../../port/workers.ts';
import type { AccountRow } from '../../../port/accounts.ts';
import type {
  DeliveryRow,
  IdentityRow,
  NewLinkCode,
  PersonRow,
  PlaceRow,
  PlaceTest,
  SilenceRow,
} from '../../../port/channels.ts';
import type { CheckpointRow } from '../../../port/checkpoints.ts';
import type { EpisodeRow, ErrorRow, IncidentRow } from '../../../port/incidents.ts';
import type { EscalationResponse, EscalationRow } from '../../../port/escalations.ts';
import type { FlowRow, RunEventRow, RunMessageRow, RunRow } from '../../../port/runs/runs.ts';
import type { QueueItemRow } from '../../../port/queue.ts';
import type { AuditHead, AuditRow } from '../../../port/people.ts';
import type { KeyedRequest } from '../../../port/public/kept-answers.ts';
import type { CommandResult, Reply } from '@drover/core';
import type { QueryResult } from '@drover/protocol';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../port/public/webhooks.ts';
import type { AnnouncementRow } from '../../../port/public/announcements.ts';
import {
  announceEscalation,
  announceMachine,
  announceRun,
  announceTask,
  announceWebhook,
  announceWorker,
} from '../public/announce.ts';
import type { Change, NewAnnouncement } from '../public/announce.ts';
import { Table } from './table.ts';
import type { Blocked, Transaction } from './transaction.ts';

/** A machine with what only the store knows of it. */
export type MachineRecord = Machine & { readonly accessTokenSha256: string | null };

/** A command in the outbox, or after it. `sentEpoch` is the epoch in which it was given out last. */
export interface CommandRecord extends NewCommand {
  readonly state: 'pending' | 'sent' | 'received' | 'done' | 'dropped';
  readonly sentEpoch: number | null;
  readonly result: CommandResult | QueryResult | null;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  readonly finishedAt: number | null;
}

/** A decision, with what it is taken again with. */
export interface EventRecord extends EventRow {
  readonly isQuiet: boolean;
  /** Facts to replay the decision; null once they are too old to be kept. */
  readonly decided: NewEvent['decided'] | null;
}

/** Work that is due, with the time until which it is leased; epoch milliseconds. */
export type DueRecord = DueWork & {
  readonly leaseUntil: number | null;
  readonly tries: number;
  readonly problem: string | null;
};

/** A key with its request, and with its answer once there is one. */
export interface KeptAnswer extends KeyedRequest {
  readonly answer: { readonly status: number; readonly body: unknown } | null;
}

/** A join token. Times are epoch milliseconds. */
export interface JoinTokenRecord {
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly createdAt: number;
  readonly forGateway: boolean;
}

/**
 * Holds tables in memory, and transactions on them as Postgres has them at READ COMMITTED: each statement sees what is
 * committed then and what its own transaction changed; a transaction that changes or locks a row that another one
 * holds waits for the end of that one, and tries again; of those that wait for each other one gets a deadlock.
 */
export class MemoryDatabase {
  readonly #current = (): Transaction | null => this.#running;
  #running: Transaction | null = null;
  readonly projects = new Table<string, Project>('projects', this.#current);
  readonly removedProjects = new Table<string, { readonly removedAt: number }>('removedProjects', this.#current);
  readonly machines = new Table<string, MachineRecord>('machines', this.#current);
  readonly workers = new Table<string, WorkerRow>('workers', this.#current);
  readonly tasks = new Table<string, TaskRow & { readonly endedAt: number | null }>('tasks', this.#current);
  /** Keyed by task, worker, begin of the count and day. */
  readonly usage = new Table<string, UsageRow>('usage', this.#current);
  readonly observations = new Table<string, NewObservation>('observations', this.#current);
  /** Keyed by machine and reason. */
  readonly refusedReports = new Table<string, RefusalRecord>('refusedReports', this.#current);
  readonly events = new Table<number, EventRecord>('events', this.#current);
  readonly policies = new Table<string, PolicyRow>('policies', this.#current);
  /** Keyed by worker and reviewer. */
  readonly reviews = new Table<string, ReviewRow>('reviews', this.#current);
  /** Replies to requests of people, by worker and request. */
  readonly replies = new Table<string, Reply>('replies', this.#current);
  /** Commands that may still be given out or answered, in the order in which they were inserted. */
  readonly outbox = new Table<string, CommandRecord>('outbox', this.#current);
  /** Commands that are done or dropped. */
  readonly ended = new Table<string, CommandRecord>('ended', this.#current);
  readonly dueWork = new Table<string, DueRecord>('dueWork', this.#current);
  readonly receipts = new Table<number, ReceiptRow & { readonly workerId: string }>('receipts', this.#current);
  readonly joinTokens = new Table<string, JoinTokenRecord>('joinTokens', this.#current);
  readonly apiTokens = new Table<string, ListedToken & { readonly sha256: string }>('apiTokens', this.#current);
  readonly audit = new Table<string, AuditRow>('audit', this.#current);
  readonly auditHeads = new Table<string, AuditHead>('auditHeads', this.#current);
  readonly profiles = new Table<string, ProfileSet['documents'][number]>('profiles', this.#current);
  readonly incidents = new Table<string, IncidentRow>('incidents', this.#current);
  readonly errors = new Table<string, ErrorRow>('errors', this.#current);
  readonly episodes = new Table<number, EpisodeRow>('episodes', this.#current);
  readonly escalations = new Table<string, EscalationRow>('escalations', this.#current);
  /** Answers to escalations, by request. */
  readonly responses = new Table<string, EscalationResponse>('responses', this.#current);
  readonly checkpoints = new Table<string, CheckpointRow>('checkpoints', this.#current);
  readonly queueItems = new Table<string, QueueItemRow>('queueItems', this.#current);
  readonly flows = new Table<string, FlowRow>('flows', this.#current);
  readonly runs = new Table<string, RunRow>('runs', this.#current);
  /** Keyed by run and number. */
  readonly runEvents = new Table<string, RunEventRow>('runEvents', this.#current);
  readonly runMessages = new Table<string, RunMessageRow>('runMessages', this.#current);
  readonly accounts = new Table<string, AccountRow>('accounts', this.#current);
  /** Keyed by sender and digest. */
  readonly parcels = new Table<string, Omit<ParcelRow, 'chunks'>>('parcels', this.#current);
  readonly terminals = new Table<string, TerminalRow>('terminals', this.#current);
  /** Keyed by parcel and reader. */
  readonly parcelReaders = new Table<string, { readonly readerId: string }>('parcelReaders', this.#current);
  readonly people = new Table<string, PersonRow>('people', this.#current);
  /** Keyed by channel and subject. */
  readonly identities = new Table<string, IdentityRow>('identities', this.#current);
  readonly linkCodes = new Table<string, NewLinkCode>('linkCodes', this.#current);
  /** Keyed by channel and address. */
  readonly places = new Table<string, PlaceRow>('places', this.#current);
  /** Keyed by question, channel and address. */
  readonly deliveries = new Table<string, DeliveryRow>('deliveries', this.#current);
  readonly placeTests = new Table<string, PlaceTest & { readonly isGiven: boolean }>('placeTests', this.#current);
  readonly silences = new Table<string, SilenceRow>('silences', this.#current);
  readonly channelLeases = new Table<string, { readonly holder: string; readonly heldUntil: number }>(
    'channelLeases',
    this.#current,
  );
  /** Keyed by caller and key. */
  readonly keptAnswers = new Table<string, KeptAnswer>('keptAnswers', this.#current);
  readonly webhookEndpoints = new Table<string, WebhookEndpoint>('webhookEndpoints', this.#current);
  readonly webhookDeliveries = new Table<string, WebhookDelivery>('webhookDeliveries', this.#current);
  /** Keyed by delivery and number. */
  readonly webhookAttempts = new Table<string, WebhookAttempt>('webhookAttempts', this.#current);
  readonly webhookLeases = new Table<string, { readonly holder: string | null; readonly until: number }>(
    'webhookLeases',
    this.#current,
  );
  readonly announcements = new Table<number, AnnouncementRow>('announcements', this.#current);
  /** Id up to which announcements may be gone. */
  readonly announcementFloor = { value: 0 };
  /** Names that transactions hold (`lockName`); it has no rows. */
  readonly names = new Table<string, object>('names', this.#current);
  /** Called after every commit. */
  onCommitted: () => void = () => {};
  /** Called at every deadlock with what the undone transaction wanted. */
  onDeadlock: (wanted: string) => void = () => {};
  /** The clock of the server, epoch milliseconds. */
  readonly now: () => number;
  #lastId = 0;

  constructor(now: () => number = () => 0) {
    this.now = now;
  }

  /** Puts a row into a table, or in the place of another. */
  put<K, V extends object>(table: Table<K, V>, key: K, row: V): void {
    const before = table.get(key) ?? null;
    table.change(key, row);
    this.#announce(table, { before, after: row });
  }

  /** Removes a row, if there is one. */
  remove<K, V extends object>(table: Table<K, V>, key: K): void {
    const before = table.get(key);
    if (before === undefined) return;
    table.change(key, null);
    this.#announce(table, { before, after: null });
  }

  /** A number that no row has; like a sequence it does not go back when a transaction is undone. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The last number that was given. */
  get lastId(): number {
    return this.#lastId;
  }

  #announce(table: object, change: { readonly before: object | null; readonly after: object | null }): void {
    for (const said of this.#announcedOf(table, { ...change, now: this.now() })) {
      const id = this.nextId();
      this.announcements.change(id, { ...said, id });
    }
  }

  /** The rows are of the table. */
  #announcedOf(table: object, change: Change<object>): readonly NewAnnouncement[] {
    if (table === this.escalations) return announceEscalation(change as Change<EscalationRow>);
    if (table === this.workers) return announceWorker(change as Change<WorkerRow>);
    if (table === this.webhookEndpoints) return announceWebhook(change as Change<WebhookEndpoint>);
    if (table === this.runs) return announceRun(change as Change<RunRow>);
    if (table === this.tasks) return announceTask(change as Change<TaskRow>);
    return table === this.machines ? announceMachine(change as Change<MachineRecord>) : [];
  }

  /** Runs one statement of a transaction, all of it or nothing. @throws {Blocked} when it must wait. */
  run<T>(tx: Transaction, statement: () => T): T {
    this.#running = tx;
    tx.undo = [];
    try {
      return statement();
    } catch (error) {
      for (const undo of tx.undo.toReversed()) undo();
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when the holder is over. @returns `deadlock` when that one waits for this one. */
  wait(tx: Transaction, { holder, message }: Blocked): Promise<void> | 'deadlock' {
    if (holder === tx || holder.waitsInTheEndFor(tx)) {
      this.onDeadlock(message);
      return 'deadlock';
    }
    tx.waitsFor = holder;
    return new Promise((resolve) => {
      holder.waiting.push(() => {
        tx.waitsFor = null;
        resolve();
      });
    });
  }

  /** Commits the changes of a transaction, and releases its locks. */
  commit(tx: Transaction): void {
    if (tx.isOver) return;
    const changed = [...tx.touched].some((table) => table.isChangedBy(tx));
    this.#end(tx, 'kept');
    if (changed) this.onCommitted();
  }

  /** Forgets the changes of a transaction; does nothing for one that is over. */
  rollback(tx: Transaction): void {
    if (!tx.isOver) this.#end(tx, 'undone');
  }

  #end(tx: Transaction, how: 'kept' | 'undone'): void {
    tx.isOver = true;
    for (const table of tx.touched) table.settle(tx, how);
    for (const tell of tx.waiting) tell();
  }
}
