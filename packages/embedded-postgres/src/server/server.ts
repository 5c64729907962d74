// Starts one server on a whole cluster, and tells when it is ready, or why not.
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalClock, waitFor } from '@drover/base';
import { type Account, giveTo } from '../account.ts';
import { type Address, addressSettings } from '../address.ts';
import type { Durability } from './cluster.ts';
import { EmbeddedPostgresError, serverError } from '../errors.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { spawnWatched } from './watchdog.ts';

/** Values that every start of the same cluster has in common. */
export type ServerPlan = {
  readonly binDir: string;
  readonly home: string;
  readonly account: Account;
  readonly address: Address;
  readonly durability: Durability;
  readonly settings: Readonly<Record<string, string>>;
};

/** A server that has been ready. `ended` resolves when its process is gone, for any reason. */
export type RunningServer = { readonly pid: number; readonly ended: Promise<void>; stop(): Promise<void> };

/** Milliseconds that processes of a killed server may take to go. */
const STALE_WAIT_MS = 6_000;

/** Milliseconds that a start may take: recovery reads the log again, and a large log on a slow disk takes minutes. */
const READY_WAIT_MS = 300_000;

/** Bytes of log from which a start moves the server's log aside. Drover keeps a single older file. */
const LOG_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Starts the server and waits until it accepts connections.
 *
 * @throws {EmbeddedPostgresError} `still-stopping` if a killed server's processes did not go within 6 s; `disk-full`,
 * `data-directory-unusable` or `start-failed` with the server's last words. The signal's reason if it aborts.
 */
export async function startServer(plan: ServerPlan, clock: LocalClock, signal?: AbortSignal): Promise<RunningServer> {
  const attempt = async (): Promise<RunningServer | undefined> => {
    try {
      signal?.throwIfAborted();
      return await startOnce(plan, clock, signal);
    } catch (error) {
      if (error instanceof EmbeddedPostgresError && error.code === 'still-stopping') lastError = error;
      else throw error;
    }
    return undefined;
  };
  let lastError: EmbeddedPostgresError | undefined;
  const started = await waitFor(clock, attempt, { withinMs: STALE_WAIT_MS, everyMs: 200, signal });
  if (started !== undefined) return started;
  signal?.throwIfAborted();
  throw lastError ?? new EmbeddedPostgresError('start-failed', `Cannot start the server on "${plan.home}"`);
}

async function startOnce(plan: ServerPlan, clock: LocalClock, signal: AbortSignal | undefined): Promise<RunningServer> {
  const pgdata = join(plan.home, 'pgdata');
  await using log = await openLog(plan);
  const { watchdog, serverPid } = spawnWatched({ ...plan, pgdata }, settingsOf(plan), log.fd);
  let gone = false;
  const ended = once(watchdog, 'exit').then(
    () => void (gone = true),
    () => void (gone = true),
  );
  const stop = async () => {
    watchdog.stdin?.destroy();
    await ended;
  };
  try {
    const pid = await serverPid;
    const isReady = async () => {
      if (gone) return false;
      const file = await readPostmasterFile(pgdata);
      return file !== undefined && file.pid === pid && file.ready ? true : undefined;
    };
    const ready = await waitFor(clock, isReady, { withinMs: READY_WAIT_MS, everyMs: 10, signal });
    if (ready === true && pid !== undefined) return { pid, ended, stop };
    signal?.throwIfAborted();
    const words = (await readFile(log.path)).subarray(log.startsAt).toString('utf8');
    throw serverError('start the database server', plan.home, words);
  } catch (error) {
    await stop();
    throw error;
  }
}

function settingsOf({ address, durability, settings }: ServerPlan): Readonly<Record<string, string>> {
  const unsafe = { fsync: 'off', full_page_writes: 'off' }; // commits still reach the kernel: a kill loses nothing
  return {
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off', // all queries are short
    log_min_messages: 'warning',
    log_checkpoints: 'off', // every five minutes, in a log that begins anew at a start alone
    ...(durability === 'none' ? unsafe : {}),
    ...settings,
    ...addressSettings(address),
  };
}

type ServerLog = AsyncDisposable & { readonly fd: number; readonly path: string; readonly startsAt: number };

async function openLog({ home, account }: ServerPlan): Promise<ServerLog> {
  const path = join(home, 'server.log');
  const sizeOf = async () => (await stat(path).catch(() => undefined))?.size ?? 0;
  if ((await sizeOf()) > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  await giveTo(account, path);
  return { fd: file.fd, path, startsAt: await sizeOf(), [Symbol.asyncDispose]: () => file.close() };
}
