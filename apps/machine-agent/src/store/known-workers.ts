/** Workers, incarnations and conversations that this machine knows, also after a restart without its coordinator. */
import { workerSettings, type WorkerSettings } from '@drover/protocol';
import type { AgentDatabase } from './database.ts';

/** Incarnations kept for each worker, and exits and names of conversations in all: tmux shows a dead pane at most until its next incarnation. */
const INCARNATIONS_KEPT = 20;
const EXITS_KEPT = 5_000;
const NAMES_KEPT = 5_000;
/** Newest commands of the machine; older ones of removed workers are forgotten, and a repeat is then carried out again. */
const COMMANDS_KEPT = 1_000;

/** Facts kept about one life of a pane. */
export interface KnownIncarnation {
  readonly workerId: string;
  /** Conversation that the program was started with. */
  readonly conversation: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
}

/** Name of the fact that says how many bytes of a worker's file of failures were reported. */
export function failuresTold(workerId: string): string {
  return `tool-failures:${workerId}`;
}

/** Memory of the machine about its workers. */
export class KnownWorkers {
  readonly #db: AgentDatabase;
  readonly #settings = new Map<string, WorkerSettings>();

  constructor(db: AgentDatabase) {
    this.#db = db;
    for (const row of db.prepare('SELECT body FROM settings').all()) {
      const known = workerSettings.safeParse(JSON.parse(String(row['body'])));
      if (known.success) this.#settings.set(known.data.workerId, known.data);
    }
  }

  /** Keeps the newest settings of a worker. */
  rememberWorker(next: WorkerSettings): void {
    const body = JSON.stringify(next);
    const known = this.#settings.get(next.workerId);
    if (known !== undefined && JSON.stringify(known) === body) return;
    this.#settings.set(next.workerId, next);
    this.#db.prepare('INSERT OR REPLACE INTO settings (worker, body) VALUES (?, ?)').run(next.workerId, body);
  }

  settingsOf(workerId: string): WorkerSettings | undefined {
    return this.#settings.get(workerId);
  }

  /** Every worker that was not removed, even if the coordinator has forgotten it. */
  all(): readonly WorkerSettings[] {
    return [...this.#settings.values()];
  }

  /** Forgets a worker, and the journal's older commands of removed workers. */
  forgetWorker(workerId: string): void {
    this.#settings.delete(workerId);
    this.#db.prepare('DELETE FROM settings WHERE worker = ?').run(workerId);
    this.#db.prepare('DELETE FROM incarnation WHERE worker = ?').run(workerId);
    this.#db.prepare('DELETE FROM fact WHERE name = ?').run(failuresTold(workerId));
    this.#db
      .prepare(
        `DELETE FROM command WHERE state = 'done' AND rowid <= (SELECT max(rowid) FROM command) - ${COMMANDS_KEPT}
         AND worker NOT IN (SELECT worker FROM settings)`,
      )
      .run();
  }

  /** Freezes a place, for `frozenInDatabase` alone. */
  freeze(workerId: string, move: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO frozen (worker, move) VALUES (?, ?)').run(workerId, move);
  }

  letIn(workerId: string): void {
    this.#db.prepare('DELETE FROM frozen WHERE worker = ?').run(workerId);
  }

  /** Finds the move for which the place of this worker is frozen; undefined: it is not. */
  frozenFor(workerId: string): string | undefined {
    const row = this.#db.prepare('SELECT move FROM frozen WHERE worker = ?').get(workerId);
    return row === undefined ? undefined : String(row['move']);
  }

  rememberIncarnation(incarnation: string, { workerId, conversation, openedAt }: KnownIncarnation): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO incarnation (incarnation, worker, conversation, opened_at) VALUES (?, ?, ?, ?)')
      .run(incarnation, workerId, conversation, openedAt);
    this.#db
      .prepare(
        `DELETE FROM incarnation WHERE worker = ?1 AND incarnation NOT IN
         (SELECT incarnation FROM incarnation WHERE worker = ?1 ORDER BY opened_at DESC LIMIT ${INCARNATIONS_KEPT})`,
      )
      .run(workerId);
  }

  incarnationOf(incarnation: string): KnownIncarnation | undefined {
    return incarnationIn(this.#db.prepare('SELECT * FROM incarnation WHERE incarnation = ?').get(incarnation));
  }

  lastIncarnationOf(workerId: string): KnownIncarnation | undefined {
    return incarnationIn(
      this.#db.prepare('SELECT * FROM incarnation WHERE worker = ? ORDER BY opened_at DESC LIMIT 1').get(workerId),
    );
  }

  /** Keeps the conversation of an existing session: the one that the command names is another name for it. */
  nameConversation(wanted: string, actual: string): void {
    if (wanted === actual) return;
    this.#db.prepare('INSERT OR REPLACE INTO conversation (wanted, actual) VALUES (?, ?)').run(wanted, actual);
    this.#db
      .prepare('DELETE FROM conversation WHERE rowid <= (SELECT max(rowid) FROM conversation) - ?')
      .run(NAMES_KEPT);
  }

  /** Finds the conversation of a name. */
  conversationNamed(wanted: string): string {
    const row = this.#db.prepare('SELECT actual FROM conversation WHERE wanted = ?').get(wanted);
    return row === undefined ? wanted : String(row['actual']);
  }

  /** Runs `tell` once for the end of this life, in one step with remembering it. */
  tellExitOnce(incarnation: string, tell: () => void): void {
    this.#db.transaction(() => {
      const { changes } = this.#db.prepare('INSERT OR IGNORE INTO exit_told (incarnation) VALUES (?)').run(incarnation);
      if (changes === 0) return;
      tell();
      this.#db.prepare('DELETE FROM exit_told WHERE rowid <= (SELECT max(rowid) FROM exit_told) - ?').run(EXITS_KEPT);
    });
  }
}

function incarnationIn(row: Readonly<Record<string, unknown>> | undefined): KnownIncarnation | undefined {
  if (row === undefined) return undefined;
  return {
    workerId: String(row['worker']),
    conversation: String(row['conversation']),
    openedAt: Number(row['opened_at']),
  };
}
