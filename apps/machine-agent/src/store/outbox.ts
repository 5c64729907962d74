/**
 * Buffers observations for the coordinator, in order, on disk until it acknowledges them.
 *
 * O1 Events that happen once (exits, results, panes, answers) are never dropped.
 * O2 A number is never used twice, not even when the machine lost power before the last screens were on disk.
 * O3 Of screens only the newest of each worker counts; older ones that were not acknowledged make way.
 */
import type { LocalClock } from '@drover/base';
import type { Observation, ObservationBody } from '@drover/protocol';
import { observationBody, Redactor, storableJson } from '@drover/protocol';
import type { AgentDatabase } from './database.ts';

/** Bytes of observations kept while the coordinator is away. Source: docs/mechanics.md. */
const BUFFER_BYTES_MAX = 64 * 1024 * 1024;
/** Numbers skipped at each start: more screens than can be written between two commits that wait for the disk (O2). */
const NUMBERS_SKIPPED = 1_000_000;
/** Screens dropped at once when the buffer is full. */
const DROPPED_AT_ONCE = 50;
/** Observations and bytes of one message; below the protocol's limits of 500 and 4 MiB. */
const BATCH_MAX = 400;
const BATCH_BYTES_MAX = 900 * 1024;

/** Buffer of observations for the coordinator. */
export class Outbox {
  readonly #db: AgentDatabase;
  readonly #clock: LocalClock;
  readonly #redactor: Redactor;
  readonly #bytesMax: number;
  #onAdded: () => void = () => {};
  /** Highest number that an earlier life may have used. */
  readonly #leftThrough: number;
  /** Number of the newest observation; 0 or up to `#goneThrough` when there is none. */
  #newest: number;
  /** Number up to which none is left. Compared with `#newest`, it tells without a look at the disk whether there is anything to send. */
  #goneThrough = 0;
  #bytes: number;

  constructor(
    db: AgentDatabase,
    clock: LocalClock,
    {
      redactor = new Redactor(),
      bytesMax = BUFFER_BYTES_MAX,
    }: { readonly redactor?: Redactor | undefined; readonly bytesMax?: number } = {},
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#redactor = redactor;
    this.#bytesMax = bytesMax;
    this.#leftThrough = db.skipNumbers('observation', NUMBERS_SKIPPED);
    this.#newest = this.#newestOnDisk();
    this.#bytes = Number(db.prepare('SELECT sum(bytes) AS bytes FROM observation').get()?.['bytes'] ?? 0);
    db.onUndone = () => (this.#newest = this.#newestOnDisk());
  }

  /** Sets the sender, which is called each time that there is something new. */
  set onAdded(listener: () => void) {
    this.#onAdded = listener;
  }

  /** Adds one observation, durably. May be called within a transaction. */
  add(body: ObservationBody): void {
    if (body.kind === 'screen') this.#db.withoutWaiting(() => this.#insert(body));
    else this.#insert(body);
    while (this.#bytes > this.#bytesMax && this.#dropOldScreens()) continue;
    this.#onAdded();
  }

  /** Next observations after a number, at most as many as one message takes. */
  after(from: number): readonly Observation[] {
    if (!this.hasAfter(from)) return [];
    const rows = this.#db
      .prepare(`SELECT seq, at, body, bytes FROM observation WHERE seq > ? ORDER BY seq LIMIT ${BATCH_MAX}`)
      .all(from);
    const batch: Observation[] = [];
    let bytes = 0;
    for (const row of rows) {
      bytes += Number(row['bytes']);
      if (batch.length > 0 && bytes > BATCH_BYTES_MAX) break;
      const seq = Number(row['seq']);
      const text = String(row['body']);
      // Observations of an earlier life may be of another build.
      const body =
        seq > this.#leftThrough ? (JSON.parse(text) as ObservationBody) : observationBody.parse(JSON.parse(text));
      batch.push({ seq, at: Number(row['at']), body });
    }
    return batch;
  }

  /** Tells whether there is any observation after a number. */
  hasAfter(seq: number): boolean {
    return Math.max(seq, this.#goneThrough) < this.#newest;
  }

  /** Removes everything up to and including this number, which the coordinator has. */
  acknowledged(through: number): void {
    if (through <= this.#goneThrough) return;
    if (through >= this.#newest) {
      this.#db.prepare('DELETE FROM observation').run();
      this.#bytes = 0;
    } else {
      const rows = this.#db.prepare('DELETE FROM observation WHERE seq <= ? RETURNING bytes').all(through);
      for (const row of rows) this.#bytes -= Number(row['bytes']);
    }
    this.#goneThrough = through;
  }

  /** Tells whether the result of a command still waits here. */
  holdsResult(commandId: string): boolean {
    const row = this.#db
      .prepare("SELECT 1 FROM observation WHERE kind IN ('result', 'answer') AND json_extract(body, '$.commandId') = ?")
      .get(commandId);
    return row !== undefined;
  }

  #newestOnDisk(): number {
    return Number(this.#db.prepare('SELECT max(seq) AS seq FROM observation').get()?.['seq'] ?? 0);
  }

  #insert(body: ObservationBody): void {
    const text = storableJson(this.#redactor.json(body));
    const subject = 'workerId' in body ? body.workerId : '';
    if (body.kind === 'screen' && this.hasAfter(0)) this.#dropScreensOf(subject);
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO observation (at, kind, subject, body, bytes) VALUES (?, ?, ?, ?, ?)')
      .run(this.#clock.now(), body.kind, subject, text, text.length);
    this.#newest = Number(lastInsertRowid);
    // A rolled-back observation's number is used again, and may have been acknowledged too far.
    this.#goneThrough = Math.min(this.#goneThrough, this.#newest - 1);
    this.#bytes += text.length;
  }

  #dropScreensOf(workerId: string): void {
    const rows = this.#db
      .prepare("DELETE FROM observation WHERE kind = 'screen' AND subject = ? RETURNING bytes")
      .all(workerId);
    for (const row of rows) this.#bytes -= Number(row['bytes']);
  }

  #dropOldScreens(): boolean {
    const rows = this.#db
      .prepare(
        `DELETE FROM observation WHERE seq IN (SELECT seq FROM observation WHERE kind = 'screen' ORDER BY seq LIMIT ${DROPPED_AT_ONCE})
         RETURNING bytes`,
      )
      .all();
    for (const row of rows) this.#bytes -= Number(row['bytes']);
    this.#newest = this.#newestOnDisk();
    return rows.length > 0;
  }
}
