// Runs a short program to its end, perhaps as another user.
import { execFile } from 'node:child_process';

/** User whom the server's processes and files belong to: ourselves, or another one if we are root. */
export type Account =
  | { readonly kind: 'self' }
  | { readonly kind: 'other'; readonly name: string; readonly uid: number; readonly gid: number };

/** Result of a program: it ended with a status, or it could not be run or was cut off. */
export type ProgramResult =
  | { readonly kind: 'exited'; readonly status: number; readonly stdout: string; readonly output: string }
  | { readonly kind: 'not-run'; readonly reason: string };

/**
 * The whole environment of every program of the server. English words, because failures are recognised by them;
 * UTC, because a search for the time zone makes initdb slow. Nothing of Drover's own environment reaches the server.
 */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program as `account`. Arguments are never seen by a shell. `output` holds stdout and stderr together. */
export async function runProgram(
  file: string,
  args: readonly string[],
  { account, timeoutMs }: { account: Account; timeoutMs: number },
): Promise<ProgramResult> {
  const options = { ...spawnIdentity(account), cwd: '/', env: SERVER_ENVIRONMENT, timeout: timeoutMs } as const;
  return new Promise((resolve) => {
    try {
      execFile(file, args, { ...options, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
        const output = stdout + stderr;
        if (error === null) return resolve({ kind: 'exited', status: 0, stdout, output });
        if (typeof error.code === 'number') return resolve({ kind: 'exited', status: error.code, stdout, output });
        resolve({ kind: 'not-run', reason: error.killed === true ? `took more than ${timeoutMs} ms` : error.message });
      });
    } catch (error) {
      resolve({ kind: 'not-run', reason: String(error) });
    }
  });
}

/** The part of Node's spawn options that makes a child run as `account`. Its other groups are dropped with it. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account.kind === 'self' ? {} : { uid: account.uid, gid: account.gid };
}
