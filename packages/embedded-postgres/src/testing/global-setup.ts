// Shares one Postgres among all test files of a run, and starts it only if a file asks for it.
//
// Vitest runs this file once, in its main process, before the first test file; the files run in processes of their own.
// Here only a socket is opened (a few milliseconds). The first request on it starts the cluster; all get its address.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, constants, access, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { removeStagedBelow } from '../staged.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../start.ts';
import { MEMORY_VARIABLE } from './place.ts';
import { killProcessesBelow } from './processes-below.ts';

/** Short, because sockets lie below and their paths may have 103 bytes. */
const PREFIX = 'dt-';

/** A directory in memory on most Linux machines. */
const MEMORY = '/dev/shm';

/** Bytes that must be free in the directory, far more than a run was seen to need (100 MB). A container often has 64 MiB in all. */
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

/** State of a run, whatever number of projects asks for it. */
interface Run {
  readonly socket: string;
  end(): Promise<void>;
}

/** Shares one run in Vitest's main process: each project loads this file for itself. */
const shared = globalThis as { droverTestRun?: Promise<Run> | undefined };

/** Sets the run up. @returns what Vitest calls at the end of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (shared.droverTestRun ??= begin());
  const { socket, end } = await run;
  project.provide('testDatabaseUrl', process.env['TEST_DATABASE_URL'] || undefined);
  project.provide('testPostgresSocket', socket);
  return async () => {
    if (shared.droverTestRun !== run) return;
    shared.droverTestRun = undefined;
    await end();
  };
}

async function begin(): Promise<Run> {
  await removeLeftovers();
  const directory = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(directory, 0o711); // as root the server runs as another user, who must pass
  const memory = await makeInMemory(join(MEMORY, basename(directory)));
  let started: Promise<EmbeddedPostgres> | undefined;
  const start = () => (started ??= startTestCluster(join(memory ?? directory, 'data')));

  // Keeps all that tests make in one directory: it goes with the run, or with the next run if this one is killed.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  // Names the directory for tests that make and remove many small files, and no cage: a cage has a /dev of its own.
  if (memory !== undefined && (await runsPrograms(memory))) process.env[MEMORY_VARIABLE] = memory;

  const server = createServer((_request, response) => {
    start().then(
      ({ superuserConnectionString }) => response.end(superuserConnectionString),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\drover-test-${process.pid}` : join(directory, 'ask');
  await once(server.listen(socket), 'listening');

  return {
    socket,
    end: async () => {
      server.close();
      const cluster = await started?.catch(() => undefined);
      await cluster?.stop();
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      delete process.env[MEMORY_VARIABLE];
      const places = memory === undefined ? [directory] : [memory, directory];
      const left = (await Promise.all(places.map(killProcessesBelow))).flat();
      // A test that fails ends what it started; one that is cut off cannot.
      if (left.length > 0)
        process.stderr.write(`Tests left processes running, which are ended now:\n  ${left.join('\n  ')}\n`);
      // Removes clusters that, under root, lie in the system's directory, because the server's user cannot reach their
      // data directories.
      await removeStagedBelow(directory);
      for (const one of places) await rm(one, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Ends and removes what killed runs left: their socket is still there and refuses. A run that is just starting has none yet. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(tmpdir(), name);
    const error = await connectionError(join(directory, 'ask'));
    if (error !== 'ECONNREFUSED') continue;
    const memory = join(MEMORY, name);
    await killProcessesBelow(directory);
    await killProcessesBelow(memory);
    await removeStagedBelow(directory);
    for (const one of [memory, directory]) await rm(one, { recursive: true, force: true }).catch(() => {}); // it may be another user's, or taken by another run
  }
}

async function connectionError(socketPath: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.end(() => resolve(undefined)));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

/** Starts a cluster without syncs, for nothing of it is worth one; many connections, because every test file has a pool of its own. */
async function startTestCluster(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    log: () => {},
    durability: 'none',
    searchPath: process.env['PATH'],
    settings: {
      max_connections: '300',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '128MB',
      autovacuum: 'off',
    },
  });
}

/**
 * Makes a directory in memory. Each test makes a database of some 300 files and drops it. On ext4 whoever makes a file
 * then looks through those that were just deleted: in memory the tests of the queries took 10 s of the processor's
 * time instead of 24. @returns undefined where there is no room.
 */
async function makeInMemory(directory: string): Promise<string | undefined> {
  try {
    await access(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    if (bavail * bsize < MEMORY_BYTES_MIN) return undefined;
    await mkdir(directory, { mode: 0o711 });
    return directory;
  } catch {
    return undefined; // not on this system
  }
}

/** Tells whether a program may lie in the directory: a container's is often mounted "noexec", where a hook that must not run could not. */
async function runsPrograms(directory: string): Promise<boolean> {
  const program = join(directory, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o700 });
  return promisify(execFile)(program).then(
    () => true,
    () => false,
  );
}
