// Finds processes that still work in the directory of a run that is over. A killed test ends none of its servers, which
// are on their own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Rounds of looking: a process that is not yet killed may start another one. */
const ROUNDS = 5;

/**
 * Kills each process whose arguments or environment name a path in this directory, such as a tmux server, a Postgres or a Drover that
 * starts these again: nothing of it can be of use without its files. @returns their command lines, without what is in their environment.
 */
export async function killProcessesBelow(directory: string): Promise<readonly string[]> {
  // A process that was killed takes a moment to end, and is killed again: it counts once.
  const killed = new Map<number, string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [whole, plain] = [await listProcesses('axeww'), await listProcesses('axww')];
    const below = new Set(whole.flatMap(({ pid, line }) => (line.includes(`${directory}/`) ? [pid] : [])));
    // A process that the second list lacks has ended by itself, as the last pause of a database's watchdog does.
    const ended = plain.filter(({ pid }) => below.has(pid) && pid !== process.pid && kill(pid));
    if (ended.length === 0) break;
    for (const { pid, line } of ended) killed.set(pid, line);
  }
  return [...killed.values()];
}

/** Lists every process that does not only wait to be collected, with its arguments; with `e` also its environment, where we may see it. */
async function listProcesses(
  options: 'axww' | 'axeww',
): Promise<readonly { readonly pid: number; readonly line: string }[]> {
  const { stdout } = await run('ps', [options, '-o', 'pid=,stat=,args='], { maxBuffer: 256 * 1024 * 1024 });
  return stdout.split('\n').flatMap((text) => {
    const [, pid = '', state = '', line = ''] = /^\s*(\d+) +(\S+) +(.*)$/u.exec(text) ?? [];
    return line === '' || state.startsWith('Z') ? [] : [{ pid: Number(pid), line }];
  });
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false; // it has ended meanwhile, or is another user's
  }
}
