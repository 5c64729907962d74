// How do all test files of one run share one Postgres, which is started only if one of them asks?
//
// Vitest runs this file once, in its main process, before the first test file; the files run in processes of their own.
// Here only a socket is opened (a few milliseconds). The first request on it starts the cluster; all get its address.
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { removeStagedBelow } from '../embedded/staged.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start.ts';
import { killProcessesBelow } from './processes-below.ts';

/** Short, because sockets lie below and their paths may have 103 bytes. */
const PREFIX = 'dt-';

/** Sets the run up. @returns what Vitest calls at the end of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const directory = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(directory, 0o711); // as root the server runs as another user, who must pass
  let started: Promise<EmbeddedPostgres> | undefined;
  const start = () => (started ??= startTestCluster(join(directory, 'data')));

  // All that tests make lies in it: it goes with the run, or with the next one if this one is killed.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;

  const server = createServer((_request, response) => {
    start().then(
      ({ superuserConnectionString }) => response.end(superuserConnectionString),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\drover-test-${process.pid}` : join(directory, 'ask');
  await once(server.listen(socket), 'listening');
  project.provide('testDatabaseUrl', process.env['TEST_DATABASE_URL'] || undefined);
  project.provide('testPostgresSocket', socket);

  return async () => {
    server.close();
    const cluster = await started?.catch(() => undefined);
    await cluster?.stop();
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const left = await killProcessesBelow(directory);
    // A test that fails ends what it started; one that is cut off cannot.
    if (left.length > 0)
      process.stderr.write(`Tests left processes running, which are ended now:\n  ${left.join('\n  ')}\n`);
    // As root, clusters of data directories that the server's user cannot reach lie in the system's directory.
    await removeStagedBelow(directory);
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
}

/** Ends and removes what killed runs left: their socket is still there and refuses. A run that is just starting has none yet. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(tmpdir(), name);
    const error = await connectionError(join(directory, 'ask'));
    if (error !== 'ECONNREFUSED') continue;
    await killProcessesBelow(directory);
    await removeStagedBelow(directory);
    await rm(directory, { recursive: true, force: true }).catch(() => {}); // it may be another user's, or taken by another run
  }
}

async function connectionError(socketPath: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.end(() => resolve(undefined)));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

/** Nothing of it is worth syncing; many connections, because every test file has a pool of its own. */
async function startTestCluster(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    log: () => {},
    durability: 'none',
    searchPath: process.env['PATH'],
    settings: { max_connections: '300', wal_level: 'minimal', max_wal_senders: '0', autovacuum: 'off' },
  });
}
