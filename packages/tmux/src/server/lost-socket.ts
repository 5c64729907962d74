/**
 * Restores the socket of a running server: cleaners of temporary directories remove the file, and the programs in the panes go on. A second
 * server at the same path would put a second agent into each worktree, so the first server is asked to make its socket again.
 */
import type { Host } from '@drover/host';
import { type Clock, pause } from '@drover/base';
import { TmuxError } from '../errors.ts';
import type { ServerIdentity } from './hub.ts';
import { isTmux } from './is-tmux.ts';

/** Milliseconds for a server to make its socket again; a few are enough unless the machine is overloaded. */
const SOCKET_MS = 5_000;
const CHECK_EVERY_MS = 10;

/**
 * Makes a server that runs without its socket create it again (SIGUSR1). Does nothing if the socket exists or the server has ended.
 *
 * @param identity Its process, as known from the last connection.
 * @param started The start of that process, as the host tells it: another process with its number is left alone. Absent: not known.
 * @throws TmuxError `refused` when it runs and makes no socket: another server must not be started beside it.
 */
export async function restoreSocket(
  { host, clock }: { readonly host: Pick<Host, 'stat' | 'run' | 'processes'>; readonly clock: Clock },
  {
    socket,
    identity: { pid },
    started,
  }: {
    readonly socket: string;
    readonly identity: Pick<ServerIdentity, 'pid'>;
    readonly started?: string | undefined;
  },
): Promise<void> {
  // A socket by name lies in a directory that tmux knows.
  if (!socket.startsWith('/') || (await host.stat(socket)) !== undefined || !(await isTmux(host, pid))) return;
  if (started !== undefined && (await host.processes.startOf(pid)) !== started) return;
  await host.processes.signal(pid, 'SIGUSR1');
  const end = clock.now() + SOCKET_MS;
  while ((await host.stat(socket)) === undefined) {
    if (!(await host.processes.isRunning(pid))) return;
    if (clock.now() > end) {
      throw new TmuxError(
        'refused',
        `The tmux server with process id ${pid} runs agents, and its socket "${socket}" is gone: it did not make the socket again within ${SOCKET_MS} ms. Look at the directory of the socket, or end the server with "kill ${pid}"`,
      );
    }
    await pause(clock, CHECK_EVERY_MS);
  }
}
