/** Output and end of child processes. */
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

/** The end of a program. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Milliseconds that a program may take on a loaded machine before the test fails. */
const DEADLINE_MS = 300_000;

/** Waits for the end of a child, which is killed at a deadline. */
export async function finished(child: ChildProcess): Promise<Ended> {
  return withDeadline(child, endOf(child));
}

/** Waits for the end of a child that runs for as long as the test needs it. Must be called at once: earlier output is lost. */
export async function endOf(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => void (texts[name] += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...texts };
}

/** Gives a child a deadline from now on; then it is killed. */
export async function withDeadline(child: ChildProcess, ended: Promise<Ended>): Promise<Ended> {
  const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  try {
    return await ended;
  } finally {
    clearTimeout(deadline);
  }
}

/** Collects both streams of a running child. */
export function output(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void (said += text));
  return () => said;
}

/** Tells whether a process exists that has not ended; no process has the id 0. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ends a child and waits until it is gone. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill(signal);
  await gone;
}
