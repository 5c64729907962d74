// A whole Drover in the directory of a soak: database, coordinator, machine agent, and the network between them.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { Network } from '@drover/testkit/network';
import { Api } from './api.ts';
import type { Targets } from './mishaps.ts';
import { killAll, Part } from './parts.ts';
import type { Memory, Place } from './place.ts';

/** Parts of a running soak, and how they are reached. */
export interface Running extends Targets, AsyncDisposable {
  readonly databaseUrl: string;
}

/** Starts everything; what an earlier soak left running, because it was killed, is ended first. @throws when it does not come up. */
export async function start(place: Place, memory: Memory, stop: AbortSignal): Promise<Running> {
  await using stack = new AsyncDisposableStack();
  for (const disk of Object.values(place.disks)) stack.defer(() => disk.close());
  killAll(place);
  const log = (_: unknown, words: string): void => appendFileSync(join(place.dir, 'database.log'), `${words}\n`);
  const dataDir = join(place.disks.database.directory, 'postgres');
  const database = stack.use(await startEmbeddedPostgres({ dataDir, log, durability: 'full' }));
  const databaseUrl = database.connectionString;
  const env = { ...place.env, DATABASE_URL: databaseUrl, DROVER_TOKEN: memory.token };
  const network = stack.use(await Network.to(memory.port));
  stack.defer(() => killAll(place));
  const coordinator = stack.use(
    new Part(place, 'coordinator', { args: ['server', 'coordinator', '--port', String(memory.port)], env }),
  );
  const api = new Api(`http://127.0.0.1:${memory.port}`, memory.token, stop);
  const joining = memory.joined ? [] : ['--join-file', await keepJoinToken(place, api)];
  const agent = stack.use(
    new Part(place, 'agent', { args: ['server', 'agent', '--url', network.url, ...joining], env: place.env }),
  );
  await api.connected();
  const owned = stack.move();
  return {
    place,
    api,
    agent,
    coordinator,
    database,
    network,
    databaseUrl,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** @returns the file: every user of the machine could read a token among the arguments. */
async function keepJoinToken(place: Place, api: Api): Promise<string> {
  const file = join(place.dir, 'join-token');
  writeFileSync(file, await api.invite(), { mode: 0o600 });
  return file;
}
