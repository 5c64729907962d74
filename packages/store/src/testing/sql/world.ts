// Runs a real Postgres for simulations: a server of one's own, a fresh database for each schedule, and its committed
// rows.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pause, systemClock } from '@drover/base';

import type { Connection } from '../../connection/connect.ts';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { MemoryDatabase } from '../memory/engine/database.ts';
import type { ClientOptions } from '../memory/engine/session.ts';
import type { StoreClient } from '../memory/store.ts';
import type { Database } from '../../tables/database.ts';
import { createSqlStore } from '../../sql/store.ts';
import { openDatabaseOn } from '../test-database.ts';
import type { TestDatabase } from '../test-database.ts';
import { Busy } from './busy.ts';
import { openSqlClient } from './client.ts';
import { MIRRORED } from './mirror.ts';

/** A lock that a statement waits for longer than this, in milliseconds, is held by a client that sleeps. */
const BLOCKED_AFTER_MS = 10;

/** Tries to read committed rows: on a loaded computer a connection now and then takes too long to open. */
const READS_MAX = 5;

/** Deadlocks are found before that; the rest is for many short connections. */
const SETTINGS = {
  deadlock_timeout: `${BLOCKED_AFTER_MS / 2}ms`,
  max_connections: '100',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
} as const;

/** A server, as the world on it needs it. */
export interface SqlWorldServer {
  /** Address of the server. Its user may create databases. */
  readonly url: string;
  readonly isUp: boolean;
  /** Cuts all connections. Committed rows stay. */
  stop(): Promise<void>;
  /** Starts it again, unless it runs. */
  resume(): Promise<void>;
}

/** A server of this process alone. Disposing it removes it. */
export class SqlServer implements SqlWorldServer, AsyncDisposable {
  readonly #directory: string;
  #running: EmbeddedPostgres | null;
  #isOver = false;

  private constructor(directory: string, running: EmbeddedPostgres) {
    this.#directory = directory;
    this.#running = running;
  }

  /** Makes and starts one, which takes about a second. */
  static async start(): Promise<SqlServer> {
    const directory = await mkdtemp(path.join(tmpdir(), 'drover-sim-'));
    await chmod(directory, 0o711); // as root the server runs as another user, who must pass
    return new SqlServer(directory, await startIn(directory));
  }

  get url(): string {
    if (this.#running === null) throw new Error('The server of the simulation is down');
    return this.#running.superuserConnectionString;
  }

  get isUp(): boolean {
    return this.#running !== null;
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.stop();
  }

  async resume(): Promise<void> {
    if (this.#isOver) throw new Error('The server of the simulation is gone');
    this.#running ??= await startIn(this.#directory);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function startIn(directory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: path.join(directory, 'data'),
    log: () => {},
    durability: 'none',
    searchPath: process.env['PATH'],
    settings: SETTINGS,
  });
}

/** Database of the server, as a simulation uses it. Disposing it drops it. */
export class SqlWorld implements AsyncDisposable {
  /** Committed rows as they were at the last rest. */
  readonly database: MemoryDatabase;
  readonly #server: SqlWorldServer;
  readonly #opened: TestDatabase<Database>;
  readonly #busy = new Busy();
  readonly #written = new Set<string>();

  private constructor(server: SqlWorldServer, opened: TestDatabase<Database>, now: () => number) {
    this.#server = server;
    this.#opened = opened;
    this.database = new MemoryDatabase(now);
  }

  /** @param now What its clock says, epoch milliseconds of the simulation. */
  static async open(server: SqlWorldServer, now: () => number): Promise<SqlWorld> {
    await server.resume();
    return new SqlWorld(server, await openDatabaseOn<Database>(server.url, { maxConnections: 2 }), now);
  }

  /** A client under virtual time. */
  readonly open = (options: ClientOptions): StoreClient =>
    openSqlClient(options, {
      url: this.#opened.connectionString,
      busy: this.#busy,
      terminate: async (pid) => {
        await this.#admin.pool.query('select pg_terminate_backend($1)', [pid]);
      },
      wrote: (tables) => {
        for (const table of tables) if (table in MIRRORED) this.#written.add(table);
      },
      now: this.database.now,
    });

  /** Stops the server: every connection is cut, and no new one can be had. */
  down(): void {
    void this.#busy.track(this.#server.stop());
  }

  /** Starts it again. */
  up(): void {
    void this.#busy.track(this.#server.resume());
  }

  /** Resolves when nothing goes on by itself, and all listeners heard of every commit. */
  readonly rest = async (): Promise<void> => {
    for (;;) {
      await this.#busy.rest(() => this.#blocked());
      if (this.#written.size === 0 || !this.#server.isUp) return;
      const tables = [...this.#written];
      this.#written.clear();
      await this.#refresh(tables);
      this.database.onCommitted();
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#busy.rest(() => this.#blocked());
    await this.#server.resume();
    await this.#opened[Symbol.asyncDispose]();
  }

  get #admin(): Connection<Database> {
    return this.#opened;
  }

  async #refresh(tables: readonly string[]): Promise<void> {
    const store = createSqlStore(this.#admin.db, { sleep: (ms) => pause(systemClock, ms), random: () => 0.5 });
    const source = { db: this.#admin.db, store };
    // Together, for the rows of one hang together with those of another.
    await Promise.all(tables.map((table) => this.#insist(async () => MIRRORED[table]?.(source, this.database))));
  }

  /** Reads again after a failure, unless the server is down. */
  async #insist<T>(read: () => Promise<T>): Promise<T> {
    for (let times = 1; ; times += 1)
      try {
        return await read();
      } catch (error) {
        if (times === READS_MAX || !this.#server.isUp) throw error;
      }
  }

  async #blocked(): Promise<number> {
    if (!this.#server.isUp) return 0;
    const { rows } = await this.#insist(() =>
      this.#admin.pool.query(
        `select count(distinct pid) as waiting from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and waitstart < clock_timestamp() - $1 * interval '1 ms'`,
        [BLOCKED_AFTER_MS],
      ),
    );
    return Number(rows[0]?.waiting ?? 0);
  }
}
