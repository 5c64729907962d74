// What does a database in memory hold, and how is one transaction of it undone?
import type {
  ApiToken,
  DueWork,
  EventRow,
  Machine,
  NewCommand,
  NewEvent,
  NewObservation,
  PolicyRow,
  Project,
  ReceiptRow,
  TaskRow,
  WorkerRow,
} from '../port.ts';
import type {
  AccountRow,
  CheckpointRow,
  EpisodeRow,
  ErrorRow,
  EscalationRow,
  IncidentRow,
  QueueItemRow,
} from '../recovery-rows.ts';
import type { OpResult, Reply } from '@drover/core';
import type { QueryResult } from '@drover/protocol';

/** A machine with what only the store knows of it. */
export type MachineRecord = Machine & { readonly accessTokenSha256: string | null };

/** A command in the outbox, or after it. `sentEpoch` is the epoch in which it was given out last. */
export interface CommandRecord extends NewCommand {
  readonly state: 'pending' | 'sent' | 'received' | 'done' | 'dropped';
  readonly sentEpoch: number | null;
  readonly result: OpResult | QueryResult | null;
  /** Epoch milliseconds. */
  readonly finishedAt: number | null;
}

/** A decision, with what it is taken again with. */
export interface EventRecord extends EventRow {
  readonly isQuiet: boolean;
  /** What it takes to decide it again; null once that is too old to be kept. */
  readonly decided: NewEvent['decided'] | null;
}

/** Something that is due, with the time until which somebody has it; epoch milliseconds. */
export type DueRecord = DueWork & { readonly leaseUntil: number | null };

/** A profile document; null when it was taken back. */
export interface ProfileRecord {
  readonly name: string;
  readonly revision: number;
  readonly document: unknown;
}

/** A join token. Times are epoch milliseconds. */
export interface JoinTokenRecord {
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

/**
 * Tables in memory. One transaction runs at a time, which is serializable in the plainest way; whoever comes later waits in
 * line. Rows are values that nobody changes: a change puts another row in their place.
 */
export class MemoryDatabase {
  readonly projects = new Map<string, Project>();
  readonly machines = new Map<string, MachineRecord>();
  readonly workers = new Map<string, WorkerRow>();
  readonly tasks = new Map<string, TaskRow>();
  readonly observations = new Map<string, NewObservation>();
  readonly events = new Map<number, EventRecord>();
  readonly policies = new Map<string, PolicyRow>();
  /** Replies to orders by people, by worker and order. */
  readonly orders = new Map<string, Reply>();
  /** Commands that may still be given out or answered, in the order in which they were inserted. */
  readonly outbox = new Map<string, CommandRecord>();
  /** Commands that are done or dropped. */
  readonly ended = new Map<string, CommandRecord>();
  readonly dueWork = new Map<string, DueRecord>();
  readonly receipts = new Map<number, ReceiptRow & { readonly workerId: string }>();
  readonly joinTokens = new Map<string, JoinTokenRecord>();
  readonly apiTokens = new Map<string, ApiToken & { readonly sha256: string }>();
  readonly profiles = new Map<string, ProfileRecord>();
  readonly incidents = new Map<string, IncidentRow>();
  readonly errors = new Map<string, ErrorRow>();
  readonly episodes = new Map<number, EpisodeRow>();
  readonly escalations = new Map<string, EscalationRow>();
  readonly checkpoints = new Map<string, CheckpointRow>();
  readonly queueItems = new Map<string, QueueItemRow>();
  readonly accounts = new Map<string, AccountRow>();
  /** Told after every commit. */
  onCommitted: () => void = () => {};

  /** The clock of the server, epoch milliseconds. */
  readonly now: () => number;
  #undo: (() => void)[] = [];
  #holder: object | null = null;
  readonly #line: { readonly who: object; readonly enter: () => void }[] = [];
  #lastId = 0;

  constructor(now: () => number = () => 0) {
    this.now = now;
  }

  /** Puts a row into a table, or in the place of another. */
  put<K, V extends object>(table: Map<K, V>, key: K, row: V): void {
    const before = table.get(key);
    this.#undo.push(() => (before === undefined ? table.delete(key) : table.set(key, before)));
    table.set(key, row);
  }

  /** Removes a row, if there is one. */
  remove<K, V extends object>(table: Map<K, V>, key: K): void {
    const before = table.get(key);
    if (before === undefined) return;
    this.#undo.push(() => table.set(key, before));
    table.delete(key);
  }

  /** A number that no row has; like a sequence it does not go back when a transaction is undone. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Resolves when `who` is the one whose transaction runs. */
  begin(who: object): Promise<void> {
    if (this.#holder === null) {
      this.#holder = who;
      return Promise.resolve();
    }
    return new Promise((enter) => this.#line.push({ who, enter }));
  }

  /** Keeps what was changed and lets the next one in. */
  commit(who: object): void {
    if (this.#holder !== who) return;
    const changed = this.#undo.length > 0;
    this.#undo = [];
    this.#leave();
    if (changed) this.onCommitted();
  }

  /** Undoes what `who` changed and gives up its place; nothing happens for one that has none. */
  rollback(who: object): void {
    const waiting = this.#line.findIndex((entry) => entry.who === who);
    if (waiting >= 0) this.#line.splice(waiting, 1);
    if (this.#holder !== who) return;
    for (const undo of this.#undo.toReversed()) undo();
    this.#undo = [];
    this.#leave();
  }

  #leave(): void {
    const next = this.#line.shift();
    this.#holder = next?.who ?? null;
    next?.enter();
  }
}
