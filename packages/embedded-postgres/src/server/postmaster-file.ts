// Reads the server's own pid file, and tells whether the process that it names is really that server.
import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SELF } from '../account.ts';
import { runProgram } from '../run-program.ts';

/** The pid file's content, as far as it is written yet. */
export type PostmasterFile = { readonly pid: number; readonly ready: boolean };

/** The server's pid file in its data directory. Format: https://www.postgresql.org/docs/current/storage-file-layout.html */
export function postmasterFilePath(pgdata: string): string {
  return join(pgdata, 'postmaster.pid');
}

/** @returns `undefined` when there is none or it has no pid yet. Line 1 is the pid, line 8 the state. */
export async function readPostmasterFile(pgdata: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFilePath(pgdata), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/** Tells whether any process has this pid. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Tells whether this pid is a server that works in `pgdata`: after a reboot the number may belong to anybody. */
export async function isServerOf(pgdata: string, pid: number): Promise<boolean> {
  const words = (await commandLine(pid)) ?? '';
  if (!words.includes('postgres')) return false;
  const place = await workingDirectory(pid);
  // Matches the words alone: nobody else starts a server with them.
  if (place === undefined) return STARTED_AS.test(words);
  return place === (await realpath(pgdata).catch(() => pgdata));
}

/** The words of `spawnWatched`, with zero bytes between them on Linux. */
const STARTED_AS = /postgres[\0 ]-D[\0 ]\.[\0 ]/u;

/** Linux tells it, but in a container not even root of another user's process; elsewhere `lsof` does, which is part of macOS. */
async function workingDirectory(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  const limits = { account: SELF, timeoutMs: 5_000 };
  const answer = await runProgram('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], limits);
  if (answer.kind !== 'exited' || answer.status !== 0) return undefined;
  return /^n(.*)$/mu.exec(answer.stdout)?.[1];
}

async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  const answer = await runProgram('ps', ['-o', 'command=', '-p', String(pid)], { account: SELF, timeoutMs: 5_000 });
  return answer.kind === 'exited' && answer.status === 0 ? answer.stdout : undefined;
}
