/** Does a process of this machine still run? */
import { readFileSync } from 'node:fs';

/** Whether a process can still do anything; one that only waits to be collected by its parent cannot. */
export function isRunning(pid: number): boolean {
  return send(pid, 0) && !isZombie(pid);
}

/** Sends a signal; 0 only asks. @returns false when there is no such process. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // A process of another user is there, but not ours to touch.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Debian's tmux collects some of its children late; where there is no /proc, they count as running. */
function isZombie(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[ZX]/u.test(text.slice(text.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
