/** Drover's tmux servers on this machine: finding a worker's session, and ending servers. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '@drover/base';
import { refuseUnsafePath } from '@drover/config/surroundings';
import type { Environment } from '@drover/config/surroundings';
import { createLocalHost } from '@drover/host';
import { endServers, socketNumber, WORKER_OPTION } from '@drover/tmux';

/** The place of the servers, and their environment. */
export interface ServersPlace {
  /** The directory of the servers' sockets. */
  readonly runtimeDir: string;
  readonly environment: Environment;
}

/**
 * Finds a worker's session; undefined if no server has one. Sockets may be left from ended servers.
 *
 * @throws {ConfigError} if another user could have put the sockets there: a client obeys its server.
 */
export async function sessionOf(
  { runtimeDir, environment }: ServersPlace,
  workerId: string,
): Promise<{ socket: string; session: string } | undefined> {
  await refuseUnsafePath(runtimeDir, environment);
  const sockets = namesIn(runtimeDir).filter((name) => socketNumber(name) !== undefined);
  for (const name of sockets) {
    const socket = path.join(runtimeDir, name);
    const list = ['list-sessions', '-F', `#{${WORKER_OPTION}} #{session_name}`];
    const asked = spawnSync('tmux', ['-S', socket, ...list], { encoding: 'utf8' });
    const line =
      asked.status === 0 ? asked.stdout.split('\n').find((one) => one.startsWith(`${workerId} `)) : undefined;
    if (line !== undefined) return { socket, session: line.slice(workerId.length + 1) };
  }
  return undefined;
}

/**
 * Ends servers. `empty` ends those that hold only their own placeholder session; `all` ends every one, with what runs in it.
 *
 * @throws {ConfigError} as `sessionOf` does.
 */
export async function endTmux({ runtimeDir, environment }: ServersPlace, which: 'empty' | 'all'): Promise<void> {
  await refuseUnsafePath(runtimeDir, environment);
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
