/**
 * Which control clients does a server have, and how does the driver end those without a reader?
 *
 * When the reader of a control client is killed while output waits for it, tmux keeps the client attached without end (3.3a and 3.5a; 3.7c does not):
 * it would leave once its output is written, and that never is. `kill-server` then waits for it without end as well. The end of
 * the client's process frees the server at once (measured, docs/mechanics.md).
 */
import type { Chain } from '../commands/command.ts';
import { type Clock, type Host, pause } from '../ports.ts';
import { type CommandRunner, linesOf, type Replies } from '../commands/runner.ts';

const COMMAND_MS = 5_000;
/** Milliseconds for the server to notice; it takes a few. */
const LET_GO_MS = 1_000;
const CHECK_EVERY_MS = 10;
/** Asks for them; {@link controlClientsIn} reads the answer. */
export const LIST_CLIENTS: Chain = [['list-clients', '-F', '#{client_control_mode} #{client_session} #{client_pid}']];

/**
 * Process ids of the control clients. tmux lists a client only while its process holds the connection, so a pid is still its own.
 *
 * @param session Only those attached to it.
 */
export async function controlClients(runner: CommandRunner, session?: string): Promise<readonly number[]> {
  return controlClientsIn(await runner.exec([LIST_CLIENTS], { timeoutMs: COMMAND_MS }), session);
}

/** The same, of an answer that may hold other lines too. */
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
