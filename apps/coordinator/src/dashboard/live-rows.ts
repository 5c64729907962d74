/**
 * Follows the rows that dashboards show, for all viewers of this replica at once: one read serves everybody with the same reach. A hint
 * starts the next read; changes without a hint are found within a second. Reads only while somebody follows.
 */
import type { Actor, Fleet, LiveMessage, LiveRows } from '@drover/api';
import { listenFor } from '../context/waiters.ts';
import type { Waiters } from '../context/waiters.ts';
import { redactorOf } from '../context/context.ts';
import type { Context } from '../context/context.ts';

/** Milliseconds between two reads at least: people see no more than four changes a second. */
const READ_GAP_MS = 250;
/** Milliseconds between two reads without a hint. */
const IDLE_MS = 1_000;
/** Milliseconds between two messages at most: a page that hears nothing for 15 s says that it is stale. */
const ALIVE_EVERY_MS = 5_000;
/** Questions that are shown at most. */
const QUESTIONS_MAX = 200;

export interface LiveParts {
  readonly ctx: Pick<Context, 'clock' | 'log' | 'redactor'>;
  readonly fleet: Pick<Fleet, 'listWorkers' | 'listEscalations'>;
  readonly events: Waiters;
}

type Send = (message: string) => void;

/** The followers of one replica. */
export class LiveFeed implements Disposable {
  readonly #parts: LiveParts;
  readonly #end = new AbortController();
  readonly #byReach = new Map<string, Followers>();

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /** Sends a snapshot, then changed rows, until the returned function is called. */
  follow(actor: Actor, send: Send): () => void {
    const key = actor.project ?? '';
    const followers = this.#byReach.get(key) ?? new Followers(this.#parts, actor, this.#end.signal);
    this.#byReach.set(key, followers);
    return followers.add(send);
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}

/** A row as it is sent, and its text before it was redacted, for the comparison. */
interface Kept<T> {
  readonly row: T;
  readonly text: string;
}

type Table<T> = ReadonlyMap<string, Kept<T>>;
interface Tables {
  readonly workers: Table<LiveRows['workers'][number]>;
  readonly questions: Table<LiveRows['questions'][number]>;
}

/** Followers who see the same rows. */
class Followers {
  readonly #parts: LiveParts;
  readonly #actor: Actor;
  readonly #signal: AbortSignal;
  readonly #sends = new Set<Send>();
  #known: { readonly at: number; readonly tables: Tables } | null = null;
  #isRunning = false;
  #toldAt = 0;

  constructor(parts: LiveParts, actor: Actor, signal: AbortSignal) {
    this.#parts = parts;
    this.#actor = actor;
    this.#signal = signal;
  }

  add(send: Send): () => void {
    this.#sends.add(send);
    if (this.#known !== null) send(snapshotOf(this.#known.tables, this.#known.at));
    if (!this.#isRunning) void this.#run();
    return () => void this.#sends.delete(send);
  }

  async #run(): Promise<void> {
    const { events, ctx } = this.#parts;
    const after = (ms: number, run: () => void): (() => void) => ctx.clock.after(ms, run);
    this.#isRunning = true;
    while (this.#sends.size > 0 && !this.#signal.aborted) {
      using hint = listenFor(events, '*', { ms: IDLE_MS, after, signal: this.#signal });
      const { promise: pause, resolve } = Promise.withResolvers<void>();
      after(READ_GAP_MS, resolve);
      await this.#read().catch((error: unknown) =>
        ctx.log('debug', `Rows for dashboards could not be read: ${String(error)}`),
      );
      await Promise.all([pause, hint.heard]);
    }
    this.#isRunning = false;
    // Nobody compares with them any more; the next follower gets new rows.
    this.#known = null;
  }

  async #read(): Promise<void> {
    const { fleet, ctx } = this.#parts;
    const [workers, questions] = await Promise.all([
      fleet.listWorkers(this.#actor),
      fleet.listEscalations({ all: false, limit: QUESTIONS_MAX }, this.#actor),
    ]);
    const at = ctx.clock.now();
    const before = this.#known?.tables;
    const redact = <T>(row: T): T => redactorOf(ctx).value(row);
    const tables: Tables = {
      workers: tableOf(workers, before?.workers, redact),
      questions: tableOf(questions, before?.questions, redact),
    };
    this.#known = { at, tables };
    if (before === undefined) return this.#tell(snapshotOf(tables, at), at);
    const message: LiveMessage = {
      kind: 'changed',
      at,
      workers: changed(before.workers, tables.workers),
      questions: changed(before.questions, tables.questions),
      gone: [...gone(before.workers, tables.workers), ...gone(before.questions, tables.questions)],
    };
    if (message.workers.length + message.questions.length + message.gone.length > 0) this.#tell(textOf(message), at);
    else if (at - this.#toldAt >= ALIVE_EVERY_MS) this.#tell(textOf({ kind: 'alive', at }), at);
  }

  #tell(message: string, at: number): void {
    this.#toldAt = at;
    for (const send of this.#sends) send(message);
  }
}

/** Keeps rows that did not change as they are: most rows of a read did not, and redaction takes longer than the comparison. */
function tableOf<T extends { readonly id: string }>(
  rows: readonly T[],
  before: Table<T> | undefined,
  redact: (row: T) => T,
): Table<T> {
  return new Map(
    rows.map((row) => {
      const text = JSON.stringify(row);
      const kept = before?.get(row.id);
      return [row.id, kept?.text === text ? kept : { row: redact(row), text }];
    }),
  );
}

function changed<T>(before: Table<T>, now: Table<T>): readonly T[] {
  return [...now].flatMap(([id, kept]) => (before.get(id) === kept ? [] : [kept.row]));
}

function gone<T>(before: Table<T>, now: Table<T>): readonly string[] {
  return [...before.keys()].filter((id) => !now.has(id));
}

function snapshotOf({ workers, questions }: Tables, at: number): string {
  const rows = { workers: [...workers.values()], questions: [...questions.values()] };
  const [own, asked] = [rows.workers.map(({ row }) => row), rows.questions.map(({ row }) => row)];
  return textOf({ kind: 'snapshot', at, workers: own, questions: asked });
}

function textOf(message: LiveMessage): string {
  return JSON.stringify(message);
}
