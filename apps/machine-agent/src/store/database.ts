/** Keeps data that must survive the agent, and refuses a second agent on the same directory. */
// oxlint-disable-next-line no-restricted-imports -- journal and outbox stay with the agent
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '@drover/base';

/** Every table; safe to repeat. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS observation (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  body TEXT NOT NULL, bytes INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS observation_subject ON observation (kind, subject);
CREATE TABLE IF NOT EXISTS command (
  id TEXT PRIMARY KEY, worker TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL,
  notes TEXT, result TEXT) STRICT;
CREATE INDEX IF NOT EXISTS command_worker ON command (worker, seq);
CREATE TABLE IF NOT EXISTS settings (worker TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS incarnation (
  incarnation TEXT PRIMARY KEY, worker TEXT NOT NULL, conversation TEXT NOT NULL, opened_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS frozen (worker TEXT PRIMARY KEY, move TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS exit_told (incarnation TEXT PRIMARY KEY) STRICT;
CREATE TABLE IF NOT EXISTS conversation (wanted TEXT PRIMARY KEY, actual TEXT NOT NULL) STRICT;
`;

const AGENT_DIRECTORY_ERRORS = {
  'in-use': { retry: false }, // another agent runs on it
  unusable: { retry: false }, // not writable, full, or not a database
} as const satisfies Record<string, { retry: boolean }>;

/** Failure to use the data directory. */
export class AgentDirectoryError extends Error {
  override readonly name = 'AgentDirectoryError';
  readonly code: keyof typeof AGENT_DIRECTORY_ERRORS;

  constructor(code: keyof typeof AGENT_DIRECTORY_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Open database, with its prepared statements. */
interface OpenDatabase {
  readonly sql: DatabaseSync;
  /** Prepared statements by their text. */
  readonly statements: Map<string, StatementSync>;
  /** Ends this use of it. */
  readonly close: () => void;
}

/**
 * Opens the database of a data directory, in one process only.
 *
 * @throws AgentDirectoryError `in-use` while another agent lives on the directory; `unusable`.
 */
export function openDirectory(dataDir: string): OpenDatabase {
  const path = join(dataDir, 'agent.db');
  const sql = opened(dataDir, path);
  try {
    // The lock is taken at the first access and released when the process ends, however it ends.
    sql.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    sql.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
  } catch (cause) {
    sql.close();
    throw /locked|busy/i.test(String(cause)) ? inUse(dataDir, cause) : unusable(path, cause);
  }
  return { sql, statements: new Map(), close: () => sql.close() };
}

function opened(dataDir: string, path: string): DatabaseSync {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600)); // SQLite would let others read it
    return new DatabaseSync(path, { timeout: 0 });
  } catch (cause) {
    throw unusable(path, cause);
  }
}

/** Use of a database by one agent. Nothing is read or written any more after it is disposed. */
export class AgentDatabase implements Disposable {
  readonly #open: OpenDatabase;
  #isOver = false;
  #onUndone: () => void = () => {};

  constructor(open: OpenDatabase) {
    this.#open = open;
  }

  /**
   * Prepares a statement at its first use. A limit belongs into its text: SQLite 3.53 prepares a statement anew each time that a limit is
   * bound to it, which takes as long as the statement itself.
   *
   * @throws Error when the agent's use of the database is over.
   */
  prepare(text: string): StatementSync {
    if (this.#isOver) throw new Error('The agent has closed its database');
    const { sql, statements } = this.#open;
    const known = statements.get(text) ?? sql.prepare(text);
    statements.set(text, known);
    return known;
  }

  /** Sets the listener that remembers the content of the disk; called after each rollback of a transaction. */
  set onUndone(listener: () => void) {
    this.#onUndone = listener;
  }

  /** Runs `work` as one transaction: all of it is on disk when this returns, or nothing. */
  transaction<T>(work: () => T): T {
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.prepare('COMMIT').run();
      return result;
    } catch (error) {
      if (!this.#isOver) {
        this.prepare('ROLLBACK').run();
        this.#onUndone();
      }
      throw error;
    }
  }

  /**
   * Runs `work` as one transaction that is safe from the end of this process but not from a loss of power: it does not
   * wait for the disk, which would stop everything else for milliseconds.
   */
  withoutWaiting<T>(work: () => T): T {
    this.#open.sql.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.transaction(work);
    } finally {
      if (!this.#isOver) this.#open.sql.exec('PRAGMA synchronous = FULL');
    }
  }

  /** Skips numbers of a table with automatic numbers. @returns the highest number that a row may have by now. */
  skipNumbers(table: string, count: number): number {
    const { changes } = this.prepare('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?').run(count, table);
    if (changes === 0) this.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, 0)').run(table);
    const row = this.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table);
    return Number(row?.['seq'] ?? 0);
  }

  /** Reads a fact, or makes it once. */
  fact(name: string, make: () => string): string {
    const found = this.maybeFact(name);
    if (found !== undefined) return found;
    const value = make();
    this.setFact(name, value);
    return value;
  }

  maybeFact(name: string): string | undefined {
    const row = this.prepare('SELECT value FROM fact WHERE name = ?').get(name);
    return row === undefined ? undefined : String(row['value']);
  }

  setFact(name: string, value: string): void {
    this.prepare('INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)').run(name, value);
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#open.close();
  }
}

function inUse(dataDir: string, cause: unknown): AgentDirectoryError {
  const message = `Another machine agent runs on "${dataDir}": stop it first, or give this one its own directory`;
  return new AgentDirectoryError('in-use', message, { cause });
}

function unusable(path: string, cause: unknown): AgentDirectoryError {
  const why = messageOf(cause);
  return new AgentDirectoryError('unusable', `Cannot use "${path}": ${why}. Check that its directory can be written`, {
    cause,
  });
}
