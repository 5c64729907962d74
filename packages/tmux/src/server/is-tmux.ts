/** Tells tmux servers from programs that were given their process ids. */
import type { Host } from '@drover/host';

const COMMAND_MS = 5_000;

/** Tells whether a process is a tmux, for process ids are reused. BusyBox `ps` cannot ask about a single process. */
export async function isTmux(host: Pick<Host, 'run'>, pid: number): Promise<boolean> {
  const { stdoutBytes } = await host.run('ps', ['-A', '-o', 'pid,comm'], { timeoutMs: COMMAND_MS });
  const lines = Buffer.from(stdoutBytes).toString().split('\n');
  return lines.some((line) => Number.parseInt(line, 10) === pid && line.includes('tmux'));
}
