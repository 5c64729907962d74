// Finds the processes of a harness: those whose command, environment or working directory names its directory.
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A running process. */
export interface Found {
  readonly pid: number;
  readonly command: string;
  /** Directory that it works in, such as the worktree of an agent; empty where that is not known. */
  readonly cwd: string;
}

/** Finds the running processes that name one of these directories. Linux knows more of them than `ps` tells elsewhere. */
export async function processesIn(directories: readonly string[]): Promise<readonly Found[]> {
  const all = process.platform === 'linux' ? await fromProc() : await fromPs();
  return all
    .filter(({ pid, facts }) => pid !== process.pid && directories.some((directory) => facts.includes(directory)))
    .map(({ pid, command, cwd }) => ({ pid, command, cwd }));
}

interface Listed extends Found {
  readonly facts: string;
}

async function fromProc(): Promise<readonly Listed[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      const read = (name: string): Promise<string> =>
        readFile(join('/proc', String(pid), name), 'utf8').catch(() => '');
      const [command, environment] = await Promise.all([read('cmdline'), read('environ')]);
      const cwd = await readlink(join('/proc', String(pid), 'cwd')).catch(() => '');
      const facts = `${command}\n${environment}\n${cwd}`;
      return { pid, command: command.replaceAll('\0', ' ').slice(0, 120), cwd, facts };
    }),
  );
}

async function fromPs(): Promise<readonly Listed[]> {
  const options = { env: { PATH: '/bin:/usr/bin' }, cwd: '/' };
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,command='], options);
  return stdout.split('\n').flatMap((line) => {
    const [, pid = '', command = ''] = /^\s*(\d+) (.*)$/u.exec(line) ?? [];
    return pid === '' ? [] : [{ pid: Number(pid), command: command.slice(0, 120), cwd: '', facts: command }];
  });
}
