// Connects Drover to Postgres so that a lost connection never ends the process.
import { type Log, pause, systemClock } from '@drover/base';
import { CamelCasePlugin, Kysely } from 'kysely';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import { PipelinedDialect } from './pipeline.ts';
import { clientOf, Servers } from './servers.ts';
import { VALUE_TYPES } from './values.ts';

/** Milliseconds to wait for a connection from the server or from the pool. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** The longest a statement may run, in milliseconds. Drover's own take a few; this ends what went wrong. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/** Milliseconds that a closed pool waits for its connections to end: a half-open one never does. */
const END_WAIT_MS = 1_000;

export type ConnectOptions = {
  readonly log: Log;
  /** Connections of this process at most. */
  readonly maxConnections: number;
  /**
   * Tells that a pooler such as PgBouncer is between this process and the server. A pooler gives each transaction
   * another session and refuses settings of one: limits of statements are then the role's (docs/configuration.md).
   * Absent: there is none.
   */
  readonly isPooled?: boolean;
};

/** Maps camelCase names here to snake_case in the database. Keys within a `jsonb` stay as their writers wrote them. */
export const CAMEL_CASE = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** A pool and Kysely over it. Disposing it waits for running queries and closes all connections. */
export type Connection<Database> = AsyncDisposable & { readonly db: Kysely<Database>; readonly pool: Pool };

/**
 * Opens nothing yet: the first query connects. Connections that break are dropped and logged, and the next query gets a new one.
 *
 * @param connectionString `postgres://…`; a unix socket's directory as a percent-encoded host, or as `?host=`. With
 * several hosts it is the one of them that takes writes (`Servers`).
 */
export function connect<Database>(
  connectionString: string,
  { log, maxConnections, isPooled = false }: ConnectOptions,
): Connection<Database> {
  const servers = new Servers(connectionString);
  const pool = new Pool({
    connectionString: servers.current,
    Client: clientOf(servers),
    max: maxConnections,
    types: VALUE_TYPES,
    application_name: 'drover',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!isPooled && {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    }),
    keepAlive: true,
    pipeline: true,
  });
  // Listens on both: the pool reports errors of idle clients, a client in use its own, and an error without a listener
  // ends the process.
  const onError = (error: Error) => log('warn', `A database connection was lost: ${error.message}`, { error });
  pool.on('error', onError);
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', onError);
  });
  pool.on('remove', (client) => clients.delete(client));
  const db = new Kysely<Database>({ dialect: new PipelinedDialect({ pool }), plugins: [CAMEL_CASE] });
  return {
    db,
    pool,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await ended(pool, clients);
    },
  };
}

/**
 * Waits for the connections of a pool, which end after the pool itself. A connection that the server ends first would
 * count as lost although nothing was lost.
 */
async function ended(pool: Pool, clients: ReadonlySet<PoolClient>): Promise<void> {
  if (clients.size === 0) return;
  const all = Promise.withResolvers<void>();
  pool.on('remove', () => {
    if (clients.size === 0) all.resolve();
  });
  const done = new AbortController();
  await Promise.race([all.promise, pause(systemClock, END_WAIT_MS, done.signal)]);
  done.abort();
}
