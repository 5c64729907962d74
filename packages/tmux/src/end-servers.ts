/** How do tmux servers end for certain, with all that runs in them? */
import { controlClients, endClients } from './control-clients.ts';
import { TmuxError } from './errors.ts';
import { type Clock, type Host, pause } from './ports.ts';
import { linesOf } from './runner.ts';
import { socketNumber } from './socket-names.ts';
import { SpawnedCommands, type TmuxAddress } from './spawned-commands.ts';

const COMMAND_MS = 5_000;
/** Milliseconds for a server to end by itself; it needs a few unless the machine is overloaded. */
const END_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** What ending the servers of a machine needs. */
export interface EndingTools {
  readonly host: Host & {
    /** The names in a directory; undefined where there is none. */
    readdir(path: string): Promise<readonly { readonly name: string }[] | undefined>;
  };
  readonly clock: Clock;
}

/**
 * Ends every server whose socket lies in a directory. @returns when their processes are gone.
 *
 * @throws TmuxError `timed-out` when one does not answer at all: then its process is not known.
 */
export async function endServers({ host, clock }: EndingTools, directory: string): Promise<void> {
  const names = (await host.readdir(directory)) ?? [];
  const sockets = names.flatMap(({ name }) => (socketNumber(name) === undefined ? [] : [`${directory}/${name}`]));
  const env = { TMUX: undefined, TMUX_PANE: undefined };
  await Promise.all(sockets.map((path) => endServer({ host, program: 'tmux', socket: ['-S', path], env }, clock)));
}

/**
 * Ends one server: its control clients first, for one that is stuck would hold it; then by order; then, where it does not obey,
 * by its process id. A server that does not run is no error. @returns when its process is gone.
 */
export async function endServer(address: TmuxAddress, clock: Clock): Promise<void> {
  const spawned = new SpawnedCommands(address, 'ending');
  try {
    const [pid] = linesOf(await spawned.exec([[['display-message', '-p', '#{pid}']]], { timeoutMs: COMMAND_MS }));
    await endClients({ host: address.host, clock, runner: spawned }, await controlClients(spawned));
    await spawned.exec([[['kill-server']]], { timeoutMs: COMMAND_MS }).catch(unlessGone);
    await untilEnded(address.host, clock, Number(pid));
  } catch (error) {
    unlessGone(error);
  }
}

async function untilEnded(host: Host, clock: Clock, pid: number): Promise<void> {
  const end = clock.now() + END_MS;
  while (await isTmux(host, pid)) {
    if (clock.now() > end)
      await host.run('sh', ['-c', 'kill -KILL "$1"', 'sh', String(pid)], { timeoutMs: COMMAND_MS });
    await pause(clock, LOOK_EVERY_MS);
  }
}

/** Whether a process is a tmux that can still do anything: one that waits to be collected cannot, and pids come back. */
async function isTmux(host: Host, pid: number): Promise<boolean> {
  const asked = ['-o', 'stat=', '-o', 'comm=', '-p', String(pid)];
  const { stdoutBytes } = await host.run('ps', asked, { timeoutMs: COMMAND_MS });
  return /^[^ZX].*tmux/u.test(Buffer.from(stdoutBytes).toString().trim());
}

function unlessGone(error: unknown): void {
  if (!(error instanceof TmuxError && error.code === 'server-gone')) throw error;
}
