// Finds the processes of the demo: those whose command, environment or working directory names its directory.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './programs.ts';

/** A running process. */
export interface Found {
  readonly pid: number;
  readonly command: string;
}

/** Finds the running processes that name one of these directories. Linux knows more of them than `ps` tells elsewhere. */
export async function processesIn(directories: readonly string[]): Promise<readonly Found[]> {
  const all = process.platform === 'linux' ? await fromProc() : await fromPs();
  return all
    .filter(({ pid, facts }) => pid !== process.pid && directories.some((directory) => facts.includes(directory)))
    .map(({ pid, command }) => ({ pid, command }));
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
      return { pid, command: command.replaceAll('\0', ' ').slice(0, 120), facts: `${command}\n${environment}\n${cwd}` };
    }),
  );
}

async function fromPs(): Promise<readonly Listed[]> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,command='], {
    env: { PATH: '/bin:/usr/bin' },
    cwd: '/',
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid = '', command = ''] = /^\s*(\d+) (.*)$/u.exec(line) ?? [];
    return pid === '' ? [] : [{ pid: Number(pid), command: command.slice(0, 120), facts: command }];
  });
}
