// Stops a server that outlived an earlier Drover, so that every server is a child of ours.
import { rm } from 'node:fs/promises';
import { type LocalClock, type Log, waitFor } from '@drover/base';
import { EmbeddedPostgresError } from '../errors.ts';
import { isAlive, isServerOf, postmasterFilePath, readPostmasterFile } from './postmaster-file.ts';

/** A fast shutdown writes a checkpoint first; it took 10 to 50 ms, and may take long after much writing. */
const FAST_STOP_MS = 15_000;

/** An immediate shutdown writes nothing: the next start recovers from the log. */
const IMMEDIATE_STOP_MS = 5_000;

/**
 * Stops the server of an earlier Drover and clears the pid file where its number belongs to another process now.
 * The caller holds the lock of the data directory: no other Drover can own that server.
 *
 * @throws {EmbeddedPostgresError} `still-stopping` when it does not end.
 */
export async function stopOrphan(pgdata: string, { clock, log }: { clock: LocalClock; log: Log }): Promise<void> {
  const file = await readPostmasterFile(pgdata);
  if (file === undefined || !isAlive(file.pid)) return; // a stale file of a dead server is for the server itself to judge
  const { pid } = file;
  if (!(await isServerOf(pgdata, pid))) {
    log('info', `Removed a pid file whose process ${pid} is not the database server any more.`, { pid });
    await rm(postmasterFilePath(pgdata), { force: true });
    return;
  }
  log('warn', `Stopping the database server of an earlier Drover (process ${pid}).`, { pid });
  for (const [signal, withinMs] of STOPS) {
    if (isAlive(pid)) process.kill(pid, signal);
    const ended = async () => (isAlive(pid) && (await isServerOf(pgdata, pid)) ? undefined : true);
    if ((await waitFor(clock, ended, { withinMs, everyMs: 20 })) === true) return;
  }
  throw new EmbeddedPostgresError(
    'still-stopping',
    `The database server of an earlier Drover (process ${pid}) on "${pgdata}" does not stop. End it, then start again.`,
  );
}

/** Postgres: SIGINT asks for a fast shutdown, SIGQUIT for an immediate one. */
const STOPS = [
  ['SIGINT', FAST_STOP_MS],
  ['SIGQUIT', IMMEDIATE_STOP_MS],
] as const;
