// Ends the server when Drover ends, even by SIGKILL: the server's parent is a watchdog that reads a pipe which only
// Drover holds open.
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join, relative } from 'node:path';
import type { Account } from '../account.ts';
import { SERVER_ENVIRONMENT, spawnIdentity } from '../run-program.ts';

/**
 * Runs its arguments as a child and prints the child's pid. When standard input ends (we closed it, or died), the
 * watchdog asks the child for a fast shutdown, after 15 s for an immediate one, after 20 s for none. The watchdog ends
 * with the child's status, and takes its last pause with it. A shell, because it and its waiting half take 2.5 MB, and a Node process 44.
 */
const WATCHDOG = `
exec 3<&0
"$@" </dev/null 3<&- >&2 &
server=$!
echo "$server"
(
  while read -r _ <&3; do :; done
  tenths=0
  trap 'kill "$!"; exit' TERM
  kill -INT "$server"
  while kill -0 "$server" 2>/dev/null; do
    sleep 0.1 &
    wait "$!"
    tenths=$((tenths + 1))
    if [ "$tenths" -eq 150 ]; then kill -QUIT "$server"; fi
    if [ "$tenths" -eq 200 ]; then kill -KILL "$server"; fi
  done
) >/dev/null 2>&1 &
watcher=$!
exec 3<&- 1>&2
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$status"
`;

/** Windows has neither shell nor SIGINT for others: Node waits for the end of its input and asks pg_ctl. */
const WATCHDOG_WINDOWS = `
const { spawn, spawnSync } = require('node:child_process');
const [, postgres, ...args] = process.argv;
const server = spawn(postgres, args, { stdio: ['ignore', 2, 2], windowsHide: true });
console.log(server.pid);
server.on('exit', (status) => process.exit(status ?? 1));
const pgCtl = require('node:path').join(require('node:path').dirname(postgres), 'pg_ctl');
process.stdin.resume().on('end', () => spawnSync(pgCtl, ['stop', '-m', 'fast', '-D', args[1]]));
`;

/** A running server and its watchdog. Closing the watchdog's input stops both. */
export type Watched = { readonly watchdog: ChildProcess; readonly serverPid: Promise<number | undefined> };

/**
 * Starts `postgres -D …` under a watchdog, detached: a Ctrl-C at the terminal is for us, not for the server. Command lines of both hold no path
 * (docs/adr/0023-one-user-guard-rails-and-a-cage.md): the server is found by PATH, and its directories are relative to its data.
 *
 * @param logFd Where both write what they have to say.
 */
export function spawnWatched(
  { binDir, pgdata, account }: { binDir: string; pgdata: string; account: Account },
  settings: Readonly<Record<string, string>>,
  logFd: number,
): Watched {
  const isWindows = process.platform === 'win32';
  const options = Object.entries(settings).flatMap(([name, value]) => {
    const isPath = !isWindows && name === 'unix_socket_directories' && value !== '';
    return ['-c', `${name}=${isPath ? relative(pgdata, value) : value}`];
  });
  const [file, args] = isWindows
    ? [process.execPath, ['-e', WATCHDOG_WINDOWS, join(binDir, 'postgres'), '-D', pgdata, ...options]]
    : ['/bin/sh', ['-c', WATCHDOG, 'fleet-postgres', 'postgres', '-D', '.', ...options]];
  const watchdog = spawn(file, args, {
    ...spawnIdentity(account),
    cwd: isWindows ? '/' : pgdata,
    env: isWindows ? SERVER_ENVIRONMENT : { ...SERVER_ENVIRONMENT, PATH: binDir + delimiter + SERVER_ENVIRONMENT.PATH },
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', logFd],
  });
  watchdog.stdin?.on('error', () => {}); // it may be gone before we close it
  return { watchdog, serverPid: firstNumber(watchdog) };
}

async function firstNumber(child: ChildProcess): Promise<number | undefined> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}
