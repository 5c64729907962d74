/** Ends a worker's session, and its program with it. The program is asked first, so that it can save its work. */
import { waitFor } from '@drover/base';
import type { CommandResult } from '@drover/core';
import { formatIncarnation } from '@drover/tmux';
import { ON_PANE, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';

export const CLOSE = {
  close: { ...ON_PANE, carryOut: close },
} satisfies KnownCommands;

/** Milliseconds that a program has to end by itself: after it was asked, after the hang-up, and after being killed. */
const GRACE_MS = 3_000;
const CHECK_EVERY_MS = 25;

/** Answers `closed` once the session is gone and its program has ended; also when there was none. */
export async function close(context: CommandContext): Promise<CommandResult> {
  const { tmux, settings, panes } = context;
  for (;;) {
    const found = await tmux.find(settings.workerId);
    if (found === undefined) return { kind: 'closed' };
    const { server, pane } = found;
    panes.expectGone(formatIncarnation(pane.incarnation));
    const { panePid: pid } = pane.incarnation;
    // Signals the whole process group: everything that shares the program's terminal.
    if (!pane.dead && (await context.host.processes.signal(-pid, 'SIGTERM'))) await gone(context, pid);
    await server.killSession(pane.incarnation);
    if (!pane.dead) await ended(context, pid);
  }
}

/** Kills a program that ignores the hang-up: the worktree may be removed next, and no program may go on writing to it. */
async function ended(context: CommandContext, pid: number): Promise<void> {
  if (await gone(context, pid)) return;
  context.log('warn', `The agent of "${context.settings.name}" (pid ${pid}) ignored the hang-up and is killed`);
  await context.host.processes.signal(pid, 'SIGKILL');
  await gone(context, pid);
}

/** @returns false when it still runs after the grace. */
async function gone(
  { host, clock, signal }: Pick<CommandContext, 'host' | 'clock' | 'signal'>,
  pid: number,
): Promise<boolean> {
  const check = { withinMs: GRACE_MS, everyMs: CHECK_EVERY_MS, signal };
  return (await waitFor(clock, async () => ((await host.processes.isRunning(pid)) ? undefined : true), check)) === true;
}
