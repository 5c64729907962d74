/** Checks that examining a machine over a real connection finds what it has and what it lacks. */
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Examination } from '../../src/ssh/index.ts';
import { type Reached, sshdProgram, sshHostOn, startSshd } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

needs('sshd', sshdProgram(), () => {
  test('given a machine that has everything, when it is looked at by either carrier, then it can serve, and nothing there has changed', async () => {
    await using sshd = await startSshd();
    await using serving = sshHostOn(sshd);
    await serving.open();
    const before = await readdir(sshd.home, { recursive: true });

    for (const carrier of ['ssh2', 'openssh'] as const) {
      const seen = await examine(sshd, { carrier });

      expect(seen.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
      expect(seen).toMatchObject({ canServe: true, startedBy: [] });
      expect(seen.answers).toMatchObject({ sessions: 7, forwards: true, programs: { tmux: { kind: 'found' } } });
    }
    expect(await readdir(sshd.home, { recursive: true })).toEqual(before);
    expect(await serving.run('echo', ['serves'], { timeoutMs: 60_000 })).toMatchObject({ stdout: 'serves\n' });
  });

  test('given a machine that lacks much, when it is looked at, then each lack is named with what to do', async () => {
    await using sshd = await startSshd({ lines: ['MaxSessions 3', 'AllowTcpForwarding no'] });
    await give(sshd.home, {
      tmux: 'echo tmux 2.9a',
      git: 'echo xcode-select: note: no developer tools were found',
      locale: 'case $1 in charmap) echo ANSI_X3.4-1968;; esac',
      date: 'exec /bin/date -d "1 hour" "$@"',
      busctl: `printf 'b true\\nas 0\\nas 0\\n'`,
      loginctl: 'echo Linger=yes',
      'systemd-run': 'exit 0',
    });
    await writeFile(
      join(sshd.home, '.profile'),
      `PATH=${sshd.home}/bin:$PATH LANG=C LC_ALL=C; export PATH LANG LC_ALL\n`,
    );

    const { findings, canServe, startedBy, answers } = await examine(sshd);

    const lacks = Object.fromEntries(findings.map(({ check, level }) => [check, level]));
    expect(lacks).toEqual({
      shell: 'ok',
      start: 'ok',
      tmux: 'problem',
      git: 'problem',
      path: 'ok',
      locale: 'warning',
      disk: 'ok',
      sessions: 'warning',
      forwarding: 'warning',
      logout: 'ok',
      clock: 'warning',
    });
    expect(canServe).toBe(false);
    expect(startedBy[0]).toBe('systemd-run');
    expect(answers?.sessions).toBe(3);
    expect(Math.round((answers?.clockOffsetMs ?? 0) / 60_000)).toBe(60);
  });

  test.each<[string, (home: string) => Promise<unknown>, string, RegExp]>([
    ['a file in its place', (home) => writeFile(join(home, '.local'), ''), '.local', /Not a directory/u],
    ['a link that leads nowhere', (home) => symlink('/nowhere/at/all', join(home, '.local')), '.local', /./u],
    [
      'a disk that is read-only',
      (home) => give(home, { mkdir: `echo "mkdir: cannot create directory '$1': Read-only file system" >&2; exit 1` }),
      '',
      /Read-only file system/u,
    ],
  ])(
    "given %s, when a machine is looked at, then Drover's directory is named with what to do, and nothing is left",
    async (_, spoil, at, words) => {
      await using sshd = await startSshd();
      await spoil(sshd.home);
      for (const name of ['.profile', '.bashrc'])
        await writeFile(join(sshd.home, name), `PATH=${sshd.home}/bin:$PATH; export PATH\n`);
      const before = await readdir(sshd.home, { recursive: true });

      const { findings, canServe } = await examine(sshd);

      const disk = findings.find(({ check }) => check === 'disk');
      expect(canServe).toBe(false);
      expect(disk).toMatchObject({
        level: 'problem',
        says: expect.stringMatching(words),
        help: expect.stringContaining('XDG_STATE_HOME'),
      });
      expect(disk?.says).toContain(`"${join(sshd.home, at)}"`);
      expect(disk?.says).toContain(`"${join(sshd.home, '.local/state/drover')}"`);
      expect(await readdir(sshd.home, { recursive: true })).toEqual(before);
    },
  );

  test('given variables that only a login has, when a machine is looked at, then the directory is the one that it is served from', async () => {
    await using sshd = await startSshd();
    await writeFile(join(sshd.home, '.profile'), 'XDG_STATE_HOME=/nowhere; export XDG_STATE_HOME\n');
    await using host = sshHostOn(sshd);

    const { answers, canServe } = await examine(sshd);

    expect(canServe).toBe(true);
    expect(answers?.disk.path).toBe((await host.open()).stateDirectory);
  });

  test.each<[string, (home: string) => Promise<unknown>]>([
    ['a file in its place', (home) => writeFile(join(home, '.local'), '')],
    ['a link that leads nowhere', (home) => symlink('/nowhere/at/all', join(home, '.local'))],
    [
      'a file instead of what is in it',
      async (home) => {
        await mkdir(join(home, '.local/state/drover'), { recursive: true });
        await writeFile(join(home, '.local/state/drover/epochs'), '');
      },
    ],
    [
      'a directory where the epoch is to be written',
      (home) => mkdir(join(home, '.local/state/drover/epoch/full'), { recursive: true }),
    ],
  ])(
    'given %s, when the machine is opened all the same, then it is not served, and the error names it',
    async (_, spoil) => {
      await using sshd = await startSshd();
      await spoil(sshd.home);
      await using host = sshHostOn(sshd);

      await expect(host.open()).rejects.toMatchObject({
        code: 'no-directory',
        retry: false,
        message: expect.stringMatching(/\.local.* XDG_STATE_HOME/su),
      });
    },
  );

  test('given a server that runs another command, when it is looked at, then it is a finding with what came', async () => {
    await using sshd = await startSshd({ lines: ['ForceCommand echo only backups here'] });

    const { canServe, findings } = await examine(sshd);

    expect(canServe).toBe(false);
    expect(findings).toMatchObject([
      { check: 'shell', level: 'problem', says: expect.stringContaining('only backups') },
    ]);
  });
});

async function examine(sshd: Reached, options: Parameters<typeof sshHostOn>[1] = {}): Promise<Examination> {
  await using host = sshHostOn(sshd, options);
  return await host.examine({ tmux: '3.2a', git: '2.34' });
}

/** Programs of the user's own. */
async function give(home: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const directory = join(home, 'bin');
  await mkdir(directory);
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(directory, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(directory, name), 0o755);
  }
}
