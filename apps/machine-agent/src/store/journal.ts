/**
 * Records each command, its progress and its end. Written before acting, so that a crash between act and record is known as `unknown` and a
 * repeat is answered instead of being carried out again.
 */
import type { CommandResult } from '@drover/core';
import { commandEnvelope, commandResult, queryResult, type QueryResult, type CommandEnvelope } from '@drover/protocol';
import type { AgentDatabase } from './database.ts';
import type { Outbox } from './outbox.ts';

/** Progress of a command: in the journal, begun, or ended. */
type CommandState = 'received' | 'started' | 'done';

/** Commands kept for each worker after they are done; a look asks at most for the last but one. */
const KEPT_PER_WORKER = 100;

/** Commands of a worker between two prunings: pruning takes longer than writing a command. */
const PRUNED_EVERY = 16;

/** Progress of a command so far. */
export interface Progress {
  readonly state: CommandState;
  /** Notes of the executor before it acted, as JSON; null when it noted nothing. */
  readonly notes: string | null;
  readonly result: CommandResult | null;
}

/** Command with its progress in the journal. */
export interface Entry extends Progress {
  readonly command: CommandEnvelope;
}

/** Address for the outcome of a command. */
export interface Place {
  readonly id: string;
  /** Empty if it is no command of a worker. */
  readonly workerId: string;
  /** Number of the command; 0 for a query, whose answer names its id alone. */
  readonly seq: number;
}

export function placeOf({ id, settings, body }: CommandEnvelope): Place {
  return { id, workerId: settings.workerId, seq: body.kind === 'command' ? body.seq : 0 };
}

/** Result of receiving a command. */
export type Receipt = 'new' | 'known' | 'superseded';

/** Commands of this machine, durably. */
export class Journal {
  readonly #db: AgentDatabase;
  readonly #outbox: Outbox;

  constructor(db: AgentDatabase, outbox: Outbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  /** Writes a command down. `superseded`: a newer one for the same worker came before it. */
  receive(command: CommandEnvelope): Receipt {
    return this.#db.transaction(() => {
      const place = placeOf(command);
      if (!this.#write(place, command)) return 'known';
      return place.seq > 0 && place.seq < this.newestSeq(place.workerId) ? 'superseded' : 'new';
    });
  }

  /** Records a command that is answered without being carried out: written down and done in one step. A repeat is answered again. */
  conclude(place: Place, result: CommandResult & QueryResult): void {
    this.#db.transaction(() => {
      if (!this.#write(place, null)) return this.answerAgain(place.id);
      this.#end(place, result);
    });
  }

  /** Highest number that a command for this worker had; 0 when there was none. */
  newestSeq(workerId: string): number {
    const row = this.#db.prepare('SELECT max(seq) AS seq FROM command WHERE worker = ?').get(workerId);
    return Number(row?.['seq'] ?? 0);
  }

  /** Number of the oldest command that is still known for this worker; null when there is none. */
  oldestSeq(workerId: string): number | null {
    const row = this.#db.prepare('SELECT min(seq) AS seq FROM command WHERE worker = ? AND seq > 0').get(workerId);
    return typeof row?.['seq'] === 'number' ? row['seq'] : null;
  }

  /** Marks a command as started: from now on it may have had effects. */
  start(id: string): void {
    this.#db.prepare("UPDATE command SET state = 'started' WHERE id = ? AND state = 'received'").run(id);
  }

  /** Notes the next step, so that its effect can be looked for after a crash. */
  note(id: string, notes: unknown): void {
    this.#db.prepare('UPDATE command SET notes = ? WHERE id = ?').run(JSON.stringify(notes), id);
  }

  /** Records the end of a command and queues the news of it, in one step. */
  finish(place: Place, result: CommandResult | QueryResult): void {
    this.#db.transaction(() => this.#end(place, result));
  }

  /** Reports the end of a repeated command again, unless that news still waits or the command is still being carried out. */
  answerAgain(id: string): void {
    const row = this.#row(id);
    if (row === undefined || row['state'] !== 'done' || this.#outbox.holdsResult(id)) return;
    this.#tell(placeIn(row), JSON.parse(String(row['result'])));
  }

  /** Commands that an earlier life of the agent did not finish, even if a newer build took them and this one cannot read them. */
  unfinished(): readonly Place[] {
    const rows = this.#db.prepare("SELECT * FROM command WHERE state <> 'done' ORDER BY worker, seq").all();
    return rows.map(placeIn);
  }

  /** Progress of the command that a worker got under a number, whether or not this build can read it. */
  bySeq(workerId: string, seq: number): Progress | undefined {
    const row = this.#db.prepare('SELECT * FROM command WHERE worker = ? AND seq = ?').get(workerId, seq);
    return row === undefined ? undefined : progressOf(row);
  }

  /** Last delivery that a worker got before a number, if this build can read it. */
  deliveryBefore(workerId: string, seq: number): Entry | undefined {
    const row = this.#db
      .prepare(
        `SELECT * FROM command WHERE worker = ? AND seq < ? AND json_extract(body, '$.body.command.kind') = 'deliver'
         ORDER BY seq DESC LIMIT 1`,
      )
      .get(workerId, seq);
    return row === undefined ? undefined : entryOf(row);
  }

  /** Writes a command down, and forgets old ones now and then. @returns false for a command that is there already. */
  #write({ id, workerId, seq }: Place, body: CommandEnvelope | null): boolean {
    const { changes } = this.#db
      .prepare(
        "INSERT INTO command (id, worker, seq, body, state) VALUES (?, ?, ?, ?, 'received') ON CONFLICT (id) DO NOTHING",
      )
      .run(id, workerId, seq, JSON.stringify(body));
    if (changes > 0 && seq % PRUNED_EVERY === 0) this.#prune(workerId, seq === 0);
    return changes > 0;
  }

  #end(place: Place, result: CommandResult | QueryResult): void {
    this.#db
      .prepare("UPDATE command SET state = 'done', result = ? WHERE id = ?")
      .run(JSON.stringify(result), place.id);
    this.#tell(place, result);
  }

  #tell({ id: commandId, workerId, seq }: Place, result: unknown): void {
    if (seq === 0) this.#outbox.add({ kind: 'answer', commandId, result: queryResult.parse(result) });
    else this.#outbox.add({ kind: 'result', workerId, commandId, seq, result: commandResult.parse(result) });
  }

  #row(id: string): Record<string, unknown> | undefined {
    return this.#db.prepare('SELECT * FROM command WHERE id = ?').get(id);
  }

  /** Prunes queries and commands apart: many questions must not push the last delivery out. */
  #prune(workerId: string, isQuery: boolean): void {
    this.#db
      .prepare(
        `DELETE FROM command WHERE worker = ?1 AND state = 'done' AND (seq > 0) = ?2 AND rowid NOT IN
         (SELECT rowid FROM command WHERE worker = ?1 AND (seq > 0) = ?2 ORDER BY rowid DESC LIMIT ${KEPT_PER_WORKER})`,
      )
      .run(workerId, isQuery ? 0 : 1);
  }
}

function placeIn(row: Record<string, unknown>): Place {
  return { id: String(row['id']), workerId: String(row['worker']), seq: Number(row['seq']) };
}

function entryOf(row: Record<string, unknown>): Entry | undefined {
  const read = commandEnvelope.safeParse(JSON.parse(String(row['body'])));
  return read.success ? { command: read.data, ...progressOf(row) } : undefined;
}

function progressOf({ state, notes, result }: Record<string, unknown>): Progress {
  return {
    state: state === 'received' || state === 'started' ? state : 'done',
    notes: typeof notes === 'string' ? notes : null,
    result: typeof result === 'string' ? commandResult.parse(JSON.parse(result)) : null,
  };
}
