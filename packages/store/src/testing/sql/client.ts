// Connects one client to a real Postgres; each of its statements can fail as told, and the client can die at any of
// them.
import { Kysely } from 'kysely';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { CAMEL_CASE, connect } from '../../connection/connect.ts';
import { PipelinedDialect } from '../../connection/pipeline.ts';
import type { ClientOptions, FaultPoint } from '../memory/engine/session.ts';
import type { StoreClient } from '../memory/store.ts';
import type { Database } from '../../tables/database.ts';
import { createSqlStore } from '../../sql/store.ts';
import type { Busy } from './busy.ts';

/** Connections of one client: fewer than a replica has, so that waiting for one happens too. */
const CONNECTIONS = 4;

/** Needs of a client beside the database's address. */
export interface SqlClientParts {
  readonly url: string;
  readonly busy: Busy;
  /** Ends the server's side of a connection. */
  readonly terminate: (pid: number) => Promise<void>;
  /** Called with the tables that were written to. */
  readonly wrote: (tables: readonly string[]) => void;
  /** Time of the database's clock, epoch milliseconds of the simulation. */
  readonly now: () => number;
}

/** Opens a client under virtual time. */
export function openSqlClient(options: ClientOptions, parts: SqlClientParts): StoreClient {
  const wire = new Wire(options, parts);
  const db = new Kysely<Database>({ dialect: new PipelinedDialect({ pool: wire }), plugins: [CAMEL_CASE] });
  const store = createSqlStore(db, options);
  return {
    ...store,
    // The server's own clock is not the one of the simulation.
    readClock: async () => {
      await store.ping();
      return parts.now();
    },
    close: () => wire.die(),
  };
}

/** The connections of a client, with the faults between it and them. */
class Wire implements PostgresPool {
  readonly options = {};
  readonly #given: ClientOptions;
  readonly #parts: SqlClientParts;
  readonly #connection: ReturnType<typeof connect>;
  readonly #clients = new Set<PoolClient>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #isDead = false;

  constructor(given: ClientOptions, parts: SqlClientParts) {
    this.#given = given;
    this.#parts = parts;
    this.#connection = connect(parts.url, { log: () => {}, maxConnections: CONNECTIONS });
    this.#connection.pool.on('connect', (client) => {
      this.#clients.add(client);
      client.on('end', () => this.#clients.delete(client));
    });
  }

  async connect(): Promise<PostgresPoolClient> {
    await this.#take();
    const client = await this.#connected();
    const tables = new Set<string>();
    // Keeps the order of queries that nobody waits for, also where virtual time passes before one is sent.
    let before: Promise<unknown> = Promise.resolve();
    const query = (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> => {
      const answer = before.then(() => this.#query(client, { text, values, tables }));
      before = answer.catch(() => {});
      return answer;
    };
    const release = (destroy?: boolean): void => {
      client.release(destroy);
      this.#giveBack();
    };
    return { query: query as PostgresPoolClient['query'], release };
  }

  async #connected(): Promise<PoolClient> {
    try {
      return await this.#real(() => this.#connection.pool.connect());
    } catch (error) {
      this.#giveBack();
      throw error;
    }
  }

  /** Takes one of the connections, or waits for it. Virtual time does not wait for this: the holder of a connection may wait for virtual time. */
  async #take(): Promise<void> {
    if (this.#taken < CONNECTIONS) this.#taken += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }

  end(): Promise<void> {
    return this.#connection.pool.end();
  }

  /** Kills the process: the server hears that its connections are cut, and nothing here goes on. */
  die(): void {
    this.#isDead = true;
    for (const client of this.#clients) client.end().catch(() => {});
  }

  async #query(
    client: PoolClient,
    { text, values, tables }: { text: string; values: readonly unknown[]; tables: Set<string> },
  ): Promise<PostgresQueryResult<unknown>> {
    const at = text === 'begin' || text === 'commit' ? text : 'statement';
    const method = text.slice(0, 40).replaceAll('\n', ' ');
    if (text !== 'rollback') await this.#pass(client, { at, method });
    for (const table of written(text)) tables.add(table);
    // Reports the tables even when the answer is lost: a commit may be done all the same.
    const result = await this.#real(() => client.query(text, [...values])).finally(() =>
      this.#parts.wrote([...tables]),
    );
    if (at === 'commit') await this.#pass(client, { at: 'committed', method });
    return result as PostgresQueryResult<unknown>;
  }

  /** Lets one moment pass, with what goes wrong in it. */
  async #pass(client: PoolClient, point: FaultPoint): Promise<void> {
    const fault = this.#isDead ? null : (this.#given.fault?.(point) ?? null);
    switch (fault?.kind) {
      case undefined:
        return;
      case 'slow':
        return this.#parts.busy.asleep(this.#given.sleep(fault.ms));
      case 'conflict':
        await this.#real(() => client.query(`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`));
        return;
      case 'lost-connection':
        await this.#real(() => this.#parts.terminate(pidOf(client)));
        if (point.at === 'committed') throw new Error('Connection terminated unexpectedly');
        return;
      default:
        fault satisfies never;
    }
  }

  /** Runs work of the world. For a dead client it never ends. */
  async #real<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    try {
      const result = await this.#parts.busy.track(work());
      return this.#isDead ? await never() : result;
    } catch (error) {
      if (this.#isDead) return never();
      throw error;
    }
  }
}

function pidOf(client: PoolClient): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
}

function written(text: string): readonly string[] {
  return [...text.matchAll(/(?:insert into|update|delete from) "?(\w+)"?/g)].flatMap(([, table]) => table ?? []);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
