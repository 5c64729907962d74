/** Ends tmux servers for certain, with all that runs in them. */
import type { Host } from '@drover/host';
import { type Clock, pause } from '@drover/base';
import { controlClients, endClients } from '../control/clients.ts';
import { TmuxError } from '../errors.ts';
import { HUB } from './hub.ts';
import { firstError, linesOf } from '../commands/runner.ts';
import { isTmux } from './is-tmux.ts';
import { socketNumber } from './socket-names.ts';
import { SpawnedCommands, type TmuxAddress, type TmuxHost } from '../commands/spawned.ts';

const COMMAND_MS = 5_000;
/** Milliseconds for a server to end by itself; a few are enough unless the machine is overloaded. */
const END_MS = 5_000;
const CHECK_EVERY_MS = 10;
/** Mark of the replies; need not be secret, for no pane is asked for anything and so none can forge an answer. */
const MARK = 'ending';

export interface EndingTools {
  readonly host: TmuxHost & Pick<Host, 'readdir'>;
  readonly clock: Clock;
  /** Program of tmux; must have the version of the servers to ask them. Default `tmux`. */
  readonly program?: string;
}

/**
 * Ends every server whose socket lies in a directory. @returns when their processes are gone.
 *
 * @param which `empty` spares servers with any session but the hub. Default `all`.
 * @throws TmuxError `timed-out` when a server does not answer at all: then its process is not known.
 */
export async function endServers(
  { host, clock, program = 'tmux' }: EndingTools,
  directory: string,
  { which = 'all' }: { which?: 'all' | 'empty' } = {},
): Promise<void> {
  const names = (await host.readdir(directory)) ?? [];
  const sockets = names.flatMap(({ name }) => (socketNumber(name) === undefined ? [] : [`${directory}/${name}`]));
  const env = { TMUX: undefined, TMUX_PANE: undefined };
  const ends = sockets.map(async (path) => {
    const address = { host, program, socket: ['-S', path], env };
    await (which === 'all' ? endServer(address, clock) : endEmptyServer(address, clock));
  });
  await Promise.all(ends);
}

/**
 * Ends one server: its control clients first, for a stuck one would hold the server; then by a command; then, if it does not obey, by its
 * process id. A server that does not run is no error. @returns when its process is gone.
 */
export async function endServer(address: TmuxAddress, clock: Clock): Promise<void> {
  const spawned = new SpawnedCommands(address, MARK);
  try {
    const [pid] = linesOf(await spawned.exec([[['display-message', '-p', '#{pid}']]], { timeoutMs: COMMAND_MS }));
    await endClients({ host: address.host, clock, runner: spawned }, await controlClients(spawned));
    await spawned.exec([[['kill-server']]], { timeoutMs: COMMAND_MS }).catch(unlessGone);
    await untilEnded(address.host, clock, Number(pid));
  } catch (error) {
    unlessGone(error);
  }
}

/**
 * Ends a server that has its hub and no other session. Asks and kills in one step: an agent may begin at any moment. A server that does not
 * answer keeps what it has. `S:` repeats a text for each session, and no name of a session has a dot.
 */
async function endEmptyServer(address: TmuxAddress, clock: Clock): Promise<void> {
  const spawned = new SpawnedCommands(address, MARK);
  const condition = `#{==:#{S:#{session_name}.},${HUB}.}`;
  const kill = ['if-shell', '-F', condition, 'kill-server', 'display-message -p kept'] as const;
  try {
    const [pid] = linesOf(await spawned.exec([[['display-message', '-p', '#{pid}']]], { timeoutMs: COMMAND_MS }));
    const replies = await spawned.exec([[kill]], { timeoutMs: COMMAND_MS });
    const wasKilled = firstError(replies) === undefined && !linesOf(replies).includes('kept');
    if (wasKilled) await untilEnded(address.host, clock, Number(pid));
  } catch (error) {
    unlessGone(error);
  }
}

async function untilEnded(host: TmuxHost, clock: Clock, pid: number): Promise<void> {
  const end = clock.now() + END_MS;
  while (await host.processes.isRunning(pid)) {
    if (clock.now() > end) {
      if (!(await isTmux(host, pid))) return;
      await host.processes.signal(pid, 'SIGKILL');
    }
    await pause(clock, CHECK_EVERY_MS);
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof TmuxError && error.code === 'server-gone')) throw error;
  return undefined;
}
