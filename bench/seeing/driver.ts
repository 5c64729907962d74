// Picks the tmux that is measured, and drives it. Stands apart from the panes: an observer should not hold their recorded screens.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { TmuxServer } from '@drover/tmux';

/** The tmux to measure; another version can be named. */
export const TMUX = process.env['TEST_TMUX_PROGRAM'] ?? 'tmux';

/** A driver on a socket. */
export function openServer(socket: string): Promise<TmuxServer> {
  return TmuxServer.open({
    host: createLocalHost({ env: process.env }),
    clock: systemClock,
    socket: { kind: 'path', path: socket },
    secret: randomUUID(),
    program: TMUX,
  });
}
