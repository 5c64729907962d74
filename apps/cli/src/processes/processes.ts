/** Tests for processes of this machine: running, and a `drover`. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Tells whether such a process exists, of any user; a zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !'ZX'.includes(stateOf(pid));
}

/** Tells whether a process is suspended, as by Ctrl-Z: it answers nobody until it goes on. */
export function isSuspended(pid: number): boolean {
  return 'Tt'.includes(stateOf(pid));
}

/** Returns the letter of a process's state; without /proc, it counts as running. */
function stateOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.charAt(text.lastIndexOf(')') + 2);
  } catch {
    return 'R';
  }
}

/** Tells whether a process is a running `drover up`, by its command line. */
export function isDrover(pid: number): boolean {
  if (!isRunning(pid)) return false;
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  // A machine without ps cannot tell; the file that named the process is this user's own.
  return typeof stdout !== 'string' || stdout === '' || /\bup\b/.test(stdout);
}
