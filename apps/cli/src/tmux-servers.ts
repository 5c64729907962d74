/** Which tmux servers does Drover have on this machine, and on which of them is a session? */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The session by which `packages/tmux` keeps its server. */
const HUB = '_hub';

/** Paths of their sockets; some may be left from servers that have ended. */
export function tmuxSockets(runtimeDir: string): readonly string[] {
  return namesIn(runtimeDir)
    .filter((name) => /^tmux(-\d+)?\.sock$/u.test(name))
    .toSorted((one, other) => one.length - other.length || one.localeCompare(other))
    .map((name) => path.join(runtimeDir, name));
}

/** The socket of the server that holds a session; undefined when none does. */
export function socketWith(runtimeDir: string, session: string): string | undefined {
  return tmuxSockets(runtimeDir).find((socket) => {
    const asked = spawnSync('tmux', ['-S', socket, 'has-session', '-t', `=${session}`], { stdio: 'ignore' });
    return asked.status === 0;
  });
}

/** A server holds a session of its own, which nobody needs any more; with any other session in it, it stays. */
export function endEmptyServers(runtimeDir: string): void {
  for (const socket of tmuxSockets(runtimeDir)) {
    const listed = spawnSync('tmux', ['-S', socket, 'list-sessions', '-F', '#{session_name}'], { encoding: 'utf8' });
    if (listed.status === 0 && listed.stdout.trim() === HUB) endServer(socket);
  }
}

/** Ends every server, with all that runs in it. */
export function endServers(runtimeDir: string): void {
  for (const socket of tmuxSockets(runtimeDir)) endServer(socket);
}

function endServer(socket: string): void {
  spawnSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
