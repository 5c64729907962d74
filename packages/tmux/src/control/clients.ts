/**
 * Finds the control clients of a server, and ends the clients without a reader.
 *
 * If the reader of a control client is killed while output waits for it, tmux keeps the client attached without end (3.3a and 3.5a; 3.7c does
 * not): the client leaves once its output is written, which never happens. `kill-server` then waits for the client without end as well. The
 * end of the client's process frees the server at once (measured, docs/mechanics.md).
 */
import type { Host } from '@drover/host';
import { type Clock, pause } from '@drover/base';
import type { Chain } from '../commands/command.ts';
import { type CommandRunner, linesOf, type Replies } from '../commands/runner.ts';

const COMMAND_MS = 5_000;
/** Milliseconds for the server to notice; a few are enough. */
const LET_GO_MS = 1_000;
const CHECK_EVERY_MS = 10;
/** Lists the clients; {@link controlClientsIn} reads the answer. */
export const LIST_CLIENTS: Chain = [['list-clients', '-F', '#{client_control_mode} #{client_session} #{client_pid}']];

/**
 * Process ids of the control clients. tmux lists a client only while its process holds the connection, so no other process has its pid.
 *
 * @param session Session to whose clients the list is limited.
 */
export async function controlClients(runner: CommandRunner, session?: string): Promise<readonly number[]> {
  return controlClientsIn(await runner.exec([LIST_CLIENTS], { timeoutMs: COMMAND_MS }), session);
}

/** Reads the process ids of control clients from an answer that may hold other lines too. */
export function controlClientsIn(answer: Replies, session?: string): readonly number[] {
  return linesOf(answer).flatMap((line) => {
    const [isControl, attachedTo, pid] = line.split(' ');
    return isControl === '1' && (session === undefined || attachedTo === session) ? [Number(pid)] : [];
  });
}

/** Ends processes of control clients. @returns when the server has let go of them, or after a second at the latest. */
export async function endClients(
  { host, clock, runner }: { host: Pick<Host, 'processes'>; clock: Clock; runner: CommandRunner },
  pids: readonly number[],
): Promise<void> {
  if (pids.length === 0) return;
  for (const pid of pids) await host.processes.signal(pid, 'SIGTERM');
  const end = clock.now() + LET_GO_MS;
  while ((await controlClients(runner)).some((pid) => pids.includes(pid)) && clock.now() < end) {
    await pause(clock, CHECK_EVERY_MS);
  }
}
