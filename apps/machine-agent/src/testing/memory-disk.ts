/** Keeps the data of a simulated agent in a database in memory, which outlives each life of the agent. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { AgentDatabase, SCHEMA } from '../store/database.ts';

/** Tables whose rows a wipe removes: those of the schema, and the numbers that SQLite counts for them. */
const TABLES = [...SCHEMA.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/gu)].map(([, name]) => name);

/** Disk of one simulated machine. */
export class MemoryDisk {
  readonly #sql = new DatabaseSync(':memory:');
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    this.#sql.exec(SCHEMA);
  }

  /** Opens the disk for a life of the agent. When that life is over, everything uncommitted is rolled back. */
  open(): AgentDatabase {
    return new AgentDatabase({
      sql: this.#sql,
      statements: this.#statements,
      close: () => {
        if (this.#sql.isTransaction) this.#sql.exec('ROLLBACK');
      },
    });
  }

  /** Makes it the disk of a new machine: as after the constructor, without its cost. */
  wipe(): void {
    for (const table of [...TABLES, 'sqlite_sequence']) this.#sql.exec(`DELETE FROM ${table}`);
  }
}
