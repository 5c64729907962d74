/** Tells whether a process of this machine still runs, and since when. */
import { readFile } from 'node:fs/promises';

import type { Processes } from '../port/machine.ts';
import { startIn } from '../process-stat.ts';

/** Processes of this machine. */
export const localProcesses: Processes = {
  isRunning: async (pid) => send(pid, 0) && !(await isZombie(pid)),
  startOf: async (pid) => startIn(await readStat(pid)),
  signal: (pid, signal) => Promise.resolve(send(pid, signal)),
};

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // A process of another user is there, but not ours to touch.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Debian's tmux collects some of its children late; where there is no /proc, they count as running. */
async function isZombie(pid: number): Promise<boolean> {
  const text = await readStat(pid);
  return /^[ZX]/u.test(text.slice(text.lastIndexOf(')') + 2));
}

function readStat(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
}
