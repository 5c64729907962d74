/** Sockets that a former build left in another directory: its tmux servers, with the panes in them, live on under the new one. */
import type { Host } from '@drover/host';
import type { MachineAgentOptions } from '../options.ts';
import type { Log } from '../ports.ts';

/** Nothing was there, or the new directory is in use already. */
const HARMLESS = new Set(['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST']);

/** Moves the directory as a whole; one that is empty makes room. A socket is found under its new name, whatever its server calls it. */
export async function takeOverSockets(
  host: Pick<Host, 'rename'>,
  { formerRuntimeDir: from, runtimeDir: to }: Pick<MachineAgentOptions, 'runtimeDir' | 'formerRuntimeDir'>,
  log: Log,
): Promise<void> {
  if (from === undefined || from === to) return;
  try {
    await host.rename(from, to);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!HARMLESS.has(code)) log('warn', `The sockets in "${from}" could not be moved to "${to}": ${String(error)}`);
  }
}
