/** How are the sockets of a machine's tmux servers named: `tmux.sock`, `tmux-2.sock`, `tmux-3.sock` and so on? */

const SOCKET = /^tmux(?:-(?<number>\d+))?\.sock$/u;

/** The name of the server with this number; the first has 1. */
export function socketName(number: number): string {
  return number === 1 ? 'tmux.sock' : `tmux-${number}.sock`;
}

/** The number of the server with this name; undefined where the name is not one of a server's socket. */
export function socketNumber(name: string): number | undefined {
  const found = SOCKET.exec(name);
  return found === null ? undefined : Number(found.groups?.['number'] ?? 1);
}

/** The option of a session that says whose it is, by the worker's id: people may rename sessions, and two projects have workers of one name. */
export const WORKER_OPTION = '@drover_worker';
