// Checks that a machine serves whatever the startup files of its user do, and wherever its tmux is.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sshHostOn, startSshd } from '@drover/host/testing';
import { describe, expect, test } from 'vitest';
import { expectServes } from './serves.ts';

const WITHIN = { timeoutMs: 60_000 };

describe.each(['ssh2', 'openssh'] as const)('carried by %s', (carrier) => {
  test('given startup files that print, sleep, and set TMOUT and the locale C, then the machine serves, also after a pause', async () => {
    await using sshd = await startSshd();
    const text = 'echo noise; echo noise >&2; sleep 2; TMOUT=1; LC_ALL=C; LANG=C; export TMOUT LC_ALL LANG\n';
    for (const name of ['.bashrc', '.profile']) await writeFile(join(sshd.home, name), text);
    await using host = sshHostOn(sshd, { carrier });
    await host.open();

    await expectServes(host, sshd.home);
    await host.run('sleep', ['3'], WITHIN);
    expect(await host.run('echo', ['there'], WITHIN)).toMatchObject({ stdout: 'there\n' });
  });

  test('given a startup file that reads, then no command is lost in it, and the error says what came', async () => {
    await using sshd = await startSshd();
    await writeFile(join(sshd.home, '.bashrc'), 'echo asks; read answer; echo "$answer" >"$HOME/answer"\n');
    await using host = sshHostOn(sshd, { carrier });

    await expect(host.open()).rejects.toMatchObject({ code: 'no-shell', message: expect.stringContaining('asks') });
    expect((await readFile(join(sshd.home, 'answer'), 'utf8').catch(() => '')).trim()).toBe('');
  });

  test('given a startup file that reads and says nothing, then the error says that no shell began', async () => {
    await using sshd = await startSshd();
    await writeFile(join(sshd.home, '.bashrc'), 'read answer\n');
    await using host = sshHostOn(sshd, { carrier });

    await expect(host.open()).rejects.toMatchObject({
      code: 'no-shell',
      message: expect.stringContaining('Nothing came'),
    });
  });

  test('given a tmux that only a login shell finds, and a clock that is an hour ahead, then both are known', async () => {
    await using sshd = await startSshd();
    const own = join(sshd.home, 'own place');
    await mkdir(own);
    await writeFile(join(own, 'tmux'), '#!/bin/sh\necho tmux of its own\n');
    await writeFile(join(own, 'date'), '#!/bin/sh\nexec /bin/date -d "1 hour" "$@"\n');
    for (const name of ['tmux', 'date']) await chmod(join(own, name), 0o755);
    await writeFile(join(sshd.home, '.profile'), `PATH="${own}:$PATH"; export PATH\n`);
    await using host = sshHostOn(sshd, { carrier });
    await host.open();

    expect(await host.findProgram('tmux')).toBe(join(own, 'tmux'));
    expect(await host.run('tmux', [], WITHIN)).toMatchObject({ stdout: 'tmux of its own\n' });
    await host.facts();
    expect(Math.round(host.clockOffsetMs() / 60_000)).toBe(60);
  });
});
