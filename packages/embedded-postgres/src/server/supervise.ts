// A server that dies without being asked to stop is started again, on the same address.
import { type LocalClock, type Log, pause } from '@drover/base';
import type { RunningServer } from './server.ts';

/** Restarts within one window, or failed starts in a row, before we give up: a server that dies again and again needs a person, not a loop. */
export const RESTARTS_MAX = 5;

/** The window of `RESTARTS_MAX`, in milliseconds. */
export const RESTART_WINDOW_MS = 60_000;

/** A server that is kept running. */
export type Supervised = {
  /** The process of the server that runs now, or of the last one. */
  readonly pid: number;
  /** Resolves when no server runs and none will be started: after `stop`, or after the restarts are used up. */
  readonly ended: Promise<void>;
  /** Stops the server and waits until it is gone. May be called again. */
  stop(): Promise<void>;
};

/** @param start Starts a server on the same address; called again for each restart. */
export async function supervise(
  start: (signal: AbortSignal) => Promise<RunningServer>,
  { clock, log }: { clock: LocalClock; log: Log },
): Promise<Supervised> {
  const stopping = new AbortController();
  let server = await start(stopping.signal);

  const keepRunning = async (): Promise<void> => {
    let deaths: readonly number[] = [];
    for (;;) {
      await server.ended;
      if (stopping.signal.aborted) return;
      deaths = [...deaths.filter((at) => clock.elapsed() - at < RESTART_WINDOW_MS), clock.elapsed()];
      if (deaths.length > RESTARTS_MAX) {
        log('error', `The database server died ${deaths.length} times within a minute, so Drover does not restart it.`);
        return;
      }
      log('warn', `The database server (process ${server.pid}) died: restarting it.`, { pid: server.pid });
      server = await startPatiently();
      if (stopping.signal.aborted) await server.stop(); // stop() was called while it started, and knew only the old one
    }
  };
  /** A start that fails (a full disk, processes that linger) is tried again after 1, 2, 4, 8 and 16 s. */
  const startPatiently = async (): Promise<RunningServer> => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await start(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted || failures === RESTARTS_MAX) throw error;
        log('warn', `Cannot start the database server, retrying: ${String(error)}`, { failures });
      }
      await pause(clock, 1_000 * 2 ** failures, stopping.signal);
      stopping.signal.throwIfAborted();
    }
  };
  const ended = keepRunning().catch((error: unknown) => {
    if (!stopping.signal.aborted) log('error', `Cannot restart the database server: ${String(error)}`);
  });

  return {
    get pid() {
      return server.pid;
    },
    ended,
    stop: async () => {
      stopping.abort();
      await server.stop();
      await ended;
    },
  };
}
