/** Names the sockets of a machine's tmux servers: `tmux.sock`, `tmux-2.sock`, `tmux-3.sock` and so on. */

const SOCKET = /^tmux(?:-(?<number>\d+))?\.sock$/u;

/** Name of the server with this number; the first has 1. */
export function socketName(number: number): string {
  return number === 1 ? 'tmux.sock' : `tmux-${number}.sock`;
}

/** Number of the server with this name; undefined if the name is not a server's socket. */
export function socketNumber(name: string): number | undefined {
  const found = SOCKET.exec(name);
  return found === null ? undefined : Number(found.groups?.['number'] ?? 1);
}

/** Option of a session with the id of its worker: people may rename sessions, and two projects have workers of one name. */
export const WORKER_OPTION = '@drover_worker';
