// Picks the Postgres that the replicas run on: the server that DATABASE_URL names, else one that the demo starts itself.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { connect } from '@drover/store';
import type { Place } from './place.ts';

/** A database that goes when it is disposed. */
export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
}

/** Makes a database for this run on the server. */
export async function openDatabase(serverUrl: string | undefined, place: Place): Promise<OwnDatabase> {
  if (serverUrl === undefined) return ownServer(place);
  const name = `drover_demo_${randomBytes(6).toString('hex')}`;
  await ask(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, [Symbol.asyncDispose]: () => ask(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function ownServer({ base }: Place): Promise<OwnDatabase> {
  const server = await startEmbeddedPostgres({ dataDir: join(base, 'postgres'), log: () => {}, durability: 'none' });
  return { url: server.connectionString, [Symbol.asyncDispose]: () => server.stop() };
}

async function ask(serverUrl: string, sql: string): Promise<void> {
  await using connection = connect(serverUrl, { log: () => {}, maxConnections: 1 });
  await connection.pool.query(sql);
}
