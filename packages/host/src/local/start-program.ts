/** Starts a child process so that "it is not there" is told apart from "it failed". */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';

import { HostError } from '../errors.ts';
import type { EnvironmentChange } from '../host.ts';

/** Program to start, and its surroundings. */
export interface Program {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a program in a process group of its own, so that it can be killed with all it starts.
 *
 * @throws HostError `program-missing`, `not-executable`, `cwd-missing` or `spawn-failed`.
 */
export async function startProgram(wanted: Program): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(wanted.program, [...wanted.args], {
    cwd: wanted.cwd,
    env: { ...wanted.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  // A program may end before it has read its input; that is its business and seen in its status.
  child.stdin.on('error', () => {});
  if (child.pid === undefined) {
    const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw await whyNotStarted(wanted, cause);
  }
  child.on('error', () => {}); // a failed kill, for example: the exit tells the rest
  return child;
}

/** Kills the program and everything in its process group. Does nothing once the program has ended: its number may then belong to another process. */
export function killTree(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is not ours to signal, or gone: Node collects all programs that have ended and then reports one after the other.
    child.kill('SIGKILL');
  }
}

/** The environment a program gets: the host's own, with the caller's changes. */
export function environment(
  own: Readonly<Record<string, string | undefined>>,
  change: EnvironmentChange = {},
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...own, ...change })) {
    if (value !== undefined) result[name] = value;
  }
  return result;
}

async function whyNotStarted({ program, cwd }: Program, cause: Error): Promise<HostError> {
  const code = 'code' in cause ? cause.code : undefined;
  if (cwd !== undefined && (code === 'ENOENT' || code === 'ENOTDIR')) {
    const isDirectory = await stat(cwd).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isDirectory) {
      const message = `Cannot run "${program}" in "${cwd}": there is no such directory`;
      return new HostError('cwd-missing', message, { program, cause });
    }
  }
  // A directory in PATH that may not be searched also gives EACCES: a bare name was not found then.
  const isPath = program.includes('/');
  if (code === 'ENOENT' || (code === 'EACCES' && !isPath)) {
    const message = `Cannot run "${program}": it was not found. Install it or correct PATH`;
    return new HostError('program-missing', message, { program, cause });
  }
  if (code === 'EACCES') {
    const message = `Cannot run "${program}": the file may not be executed`;
    return new HostError('not-executable', message, { program, cause });
  }
  return new HostError('spawn-failed', `Cannot run "${program}": ${cause.message}`, { program, cause });
}
