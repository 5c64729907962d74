/** How is a worker's session ended, and its program with it? */
import type { CommandResult } from '@drover/core';
import { formatIncarnation } from '@drover/tmux';
import { isRunning, send } from '../../host/processes.ts';
import { waitFor } from '../../time.ts';
import type { CommandContext } from '../tools.ts';

/** Milliseconds that a program has to end by itself after the hang-up, and to vanish after being killed. */
const GRACE_MS = 3_000;
const CHECK_EVERY_MS = 25;

/** Answers `closed` once the session is gone and its program has ended; also when there was none. */
export async function close(context: CommandContext): Promise<CommandResult> {
  const { tmux, seat, observer } = context;
  for (;;) {
    const found = await tmux.find(seat.workerId);
    if (found === undefined) return { kind: 'closed' };
    const { server, pane } = found;
    observer.expectGone(formatIncarnation(pane.incarnation));
    await server.killSession(pane.incarnation);
    if (!pane.dead) await ended(context, pane.incarnation.panePid);
  }
}

/** The worktree may be removed next, so no program may go on writing to it: one that ignores the hang-up is killed. */
async function ended({ clock, signal, log, seat }: CommandContext, pid: number): Promise<void> {
  const gone = (): Promise<true | undefined> =>
    waitFor(clock, async () => (isRunning(pid) ? undefined : true), {
      withinMs: GRACE_MS,
      everyMs: CHECK_EVERY_MS,
      signal,
    });
  if ((await gone()) === true) return;
  log('warn', `The agent of "${seat.name}" (pid ${pid}) ignored the hang-up and is killed`);
  send(pid, 'SIGKILL');
  await gone();
}
