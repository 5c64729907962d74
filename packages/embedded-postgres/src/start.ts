// Gives Drover a real Postgres on a machine that has none. See docs/adr/0001-one-postgres-everywhere.md.
import { addAbortListener } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type LocalClock, type Log, systemClock } from '@drover/base';
import { type BackupOutcome, type BackupSource, makeBackup } from './backups/backup.ts';
import { type Backup, listBackups, type Origin } from './backups/backups.ts';
import { connectionStringFor, makeAddress, removeAddress } from './address.ts';
import { type Binaries, type BinarySearch, defaultSearch, findBinaries } from './binaries/binaries.ts';
import { clusterMajor, createCluster, type Durability } from './server/cluster.ts';
import { storageError, unreadable } from './errors.ts';
import { lockDataDirectory } from './lock.ts';
import { stopOrphan } from './server/orphan.ts';
import { findPlace, makeDataDirectory, HOME_NAME, type Place, rememberPlace } from './place.ts';
import { noteOwner } from './staged.ts';
import { DEFAULT_STAGING_DIRECTORY } from './staging-directory.ts';
import { APPLICATION_USER, prepareApplicationRole } from './roles.ts';
import { startServer } from './server/server.ts';
import { supervise } from './server/supervise.ts';
import { SUPERUSER } from './superuser.ts';

/** Place of the database, and how much it must outlive. Only the first three are needed. */
export type EmbeddedPostgresOptions = {
  /** A directory for the database alone. Created if missing. Used by one Drover at a time. */
  readonly dataDir: string;
  readonly log: Log;
  readonly durability: Durability;
  /** Asks a database whose it is, for its backups to say so. Without it they say nothing, and no restore refuses them. */
  readonly readOrigin?: ((connectionString: string) => Promise<Origin | null>) | undefined;
  /** Aborting gives up a start, and stops a started server. */
  readonly signal?: AbortSignal | undefined;
  /** Server settings such as `max_connections`, over Drover's own. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** The user's PATH, where server programs are looked for when the npm package has none for this machine. */
  readonly searchPath?: string | undefined;
  /** Replaces the search for server programs. */
  readonly search?: BinarySearch | undefined;
  /** Default: `/var/lib/drover` for root, who alone needs it for data; else the data directory. */
  readonly stagingDirectory?: string | undefined;
  readonly clock?: LocalClock | undefined;
};

/** Running Postgres of our own. Disposing it is `stop()`. A server that dies by itself is restarted. */
export type EmbeddedPostgres = AsyncDisposable & {
  /** Connection string for `pg` and for psql, as the owner of the database, who is no superuser. Stays the same over restarts. Holds the password. */
  readonly connectionString: string;
  /** Connection string of the superuser, whom Drover needs for backups alone; for tests and measurements that make databases. */
  readonly superuserConnectionString: string;
  /** The directory of the server's programs. */
  readonly binDir: string;
  /** The process of the server that runs now. */
  readonly pid: number;
  /** Resolves when no server runs and none will be started. */
  readonly ended: Promise<void>;
  /** Whole backups of this database, newest first. */
  backups(): Promise<readonly Backup[]>;
  /**
   * Makes a dated backup while the server works, and keeps the last seven. A second call while one is made gets that one.
   *
   * @param now Epoch milliseconds.
   * @throws what Postgres or the disk says.
   */
  backUp(now: number): Promise<BackupOutcome>;
  /** Stops the server (connections are cut, committed rows stay) and releases the data directory. */
  stop(): Promise<void>;
};

/**
 * Starts the database in `dataDir`, making it at the first start (about a second; later starts take 30 to 90 ms).
 *
 * @throws {EmbeddedPostgresError} with the code that says why, see `EMBEDDED_POSTGRES_ERRORS`.
 * @throws the signal's reason when it aborts during the start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    return await start(dataDir, options);
  } catch (error) {
    throw storageError(dataDir, error);
  }
}

async function start(dataDir: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durability, signal, clock = systemClock, settings = {} } = options;
  await using held = new AsyncDisposableStack();
  await makeDataDirectory(dataDir);
  held.use(lockDataDirectory(dataDir));
  const { place, binaries } = await prepareCluster(dataDir, options);
  const address = await makeAddress(place.home, place.account);
  held.defer(() => removeAddress(address));
  const plan = { ...place, binDir: binaries.binDir, address, durability, settings };

  const server = await supervise(
    async (stopping) => {
      await stopOrphan(join(place.home, 'pgdata'), { clock, log });
      return startServer(plan, clock, signal === undefined ? stopping : AbortSignal.any([signal, stopping]));
    },
    { clock, log },
  );
  held.defer(() => server.stop());
  const superuser = connectionStringFor(address, {
    user: SUPERUSER,
    password: (await readFile(join(place.home, 'password'), 'utf8')).trim(),
  });
  const connectionString = connectionStringFor(address, {
    user: APPLICATION_USER,
    password: await prepareApplicationRole({ ...place, superuser, log }).catch((error: unknown) => {
      throw unreadable(place.home, error);
    }),
  });
  const backups = held.use(
    oneAtATime((ending) => ({
      ...place,
      durability,
      connectionString: superuser,
      readOrigin: async () => (await options.readOrigin?.(connectionString)) ?? null,
      log,
      signal: ending,
    })),
  );
  const owned = held.move();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= owned.disposeAsync());
  if (signal !== undefined) owned.use(stopWhenAborted(signal, stop, log));
  return {
    connectionString,
    superuserConnectionString: superuser,
    binDir: binaries.binDir,
    get pid() {
      return server.pid;
    },
    ended: server.ended,
    backups: () => listBackups(dataDir),
    backUp: backups.make,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Backups of one server. Disposing ends the one under way, and leaves nothing of it. */
function oneAtATime(
  source: (ending: AbortSignal) => BackupSource,
): AsyncDisposable & { make(now: number): Promise<BackupOutcome> } {
  const ending = new AbortController();
  let running: Promise<BackupOutcome> | undefined;
  return {
    make: (now) =>
      (running ??= makeBackup(source(ending.signal), now).finally(() => {
        running = undefined;
      })),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await running?.catch(() => {}); // the caller of that backup gets the error
    },
  };
}

/** Finds the cluster or makes it, and the programs of its version. */
async function prepareCluster(
  dataDir: string,
  options: EmbeddedPostgresOptions,
): Promise<{ place: Place; binaries: Binaries }> {
  const { log, durability, signal } = options;
  const place = await findPlace(dataDir, options.stagingDirectory ?? DEFAULT_STAGING_DIRECTORY, log);
  const binaries = await findBinaries(options.search ?? (await defaultSearch(options.searchPath ?? '')), {
    account: place.account,
    clusterMajor: place.exists ? await clusterMajor(place.home) : undefined,
    stagingDirectory: options.stagingDirectory ?? (place.account.kind === 'self' ? dataDir : DEFAULT_STAGING_DIRECTORY),
    log,
  });
  signal?.throwIfAborted();
  if (!place.exists) {
    log('info', `Making a database in "${place.home}" with Postgres ${binaries.major}.`, { binDir: binaries.binDir });
    await createCluster(place, binaries, durability);
    await rememberPlace(dataDir, place);
  }
  if (place.home !== join(dataDir, HOME_NAME)) await noteOwner(dirname(place.home), dataDir);
  return { place, binaries };
}

function stopWhenAborted(signal: AbortSignal, stop: () => Promise<void>, log: Log): Disposable {
  return addAbortListener(signal, () => {
    stop().catch((error: unknown) => log('error', `The database server was not stopped cleanly: ${String(error)}`));
  });
}
