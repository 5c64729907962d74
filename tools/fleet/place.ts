/** Surroundings of a user whom the harness plays: nothing of the person who runs it reaches them. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { endServers } from '@drover/tmux';

/** Environment of a user whose directory has `home`, `run` and `data`. */
export function environmentOf(directory: string): Readonly<Record<string, string>> {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: path.join(directory, 'home'),
    LANG: 'C.UTF-8',
    TMPDIR: os.tmpdir(),
    XDG_RUNTIME_DIR: path.join(directory, 'run'),
    DROVER_DATA_DIR: path.join(directory, 'data'),
    // Speeds up starts, nothing else.
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
  };
}

/** Ends the tmux servers of a user: each data directory that an agent was given has its own. */
export async function endTmux(directory: string): Promise<void> {
  const fleets = path.join(directory, 'run', 'fleets');
  const tools = { host: createLocalHost({ env: process.env }), clock: systemClock };
  for (const name of await readdir(fleets).catch((): string[] => [])) await endServers(tools, path.join(fleets, name));
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
