/** Whether a process of this machine runs, and whether it is a `drover`. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether there is such a process, of any user; a zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** Where there is no /proc, it counts as running. */
function isZombie(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[ZX]/u.test(text.slice(text.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Whether it is a running `drover up`, as far as its command line tells. */
export function isDrover(pid: number): boolean {
  if (!isRunning(pid)) return false;
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  // A machine without ps cannot tell; the file that named the process is this user's own.
  return typeof stdout !== 'string' || stdout === '' || /\bup\b/.test(stdout);
}
