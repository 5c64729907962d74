/** Drover's tmux servers on this machine: which one has a session, and how they end. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '@drover/config/surroundings';
import { createLocalHost, systemClock } from '@drover/host';
import { endServers, socketNumber } from '@drover/tmux';

/** Where the servers are, and what they inherit. */
export interface ServersPlace {
  /** The directory of their sockets. */
  readonly runtimeDir: string;
  readonly environment: Environment;
}

/** The socket of the server that holds a session; undefined when none does. Sockets may be left from servers that have ended. */
export function socketWith(runtimeDir: string, session: string): string | undefined {
  const sockets = namesIn(runtimeDir).filter((name) => socketNumber(name) !== undefined);
  return sockets
    .map((name) => path.join(runtimeDir, name))
    .find((socket) => {
      const asked = spawnSync('tmux', ['-S', socket, 'has-session', '-t', `=${session}`], { stdio: 'ignore' });
      return asked.status === 0;
    });
}

/** Ends servers. `empty` ends those that hold only their own placeholder session; `all` ends every one, with what runs in it. */
export function endTmux({ runtimeDir, environment }: ServersPlace, which: 'empty' | 'all'): Promise<void> {
  return endServers({ host: createLocalHost({ env: environment.variables }), clock: systemClock }, runtimeDir, {
    which,
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
