/** Checks that commands run the same, whatever the user's login shell and its startup files do. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SshHost } from '../../src/ssh/ssh-host.ts';
import { programPath, sshdProgram, sshHostOn, startSshd, type TestSshd } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

const WITHIN = { timeoutMs: 60_000 };
/** BusyBox is one program for many: its shell is found by its first argument. */
const SHELLS = { sh: 'sh', bash: 'bash', zsh: 'zsh', fish: 'fish', tcsh: 'tcsh', busybox: 'busybox sh' } as const;

/** A parent that stays in the way: commands then share its process group, as on some servers. */
const NO_GROUP = '/bin/sh -c \'/bin/sh "$@"; exit $?\' sh';

needs('sshd', sshdProgram(), () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd({ loginShells: [...Object.values(SHELLS), NO_GROUP] });
    const noise = 'echo noise of a startup file; printf "no line feed"; TMOUT=1; export TMOUT LC_ALL=C\n';
    for (const name of ['.bashrc', '.zshenv']) await writeFile(join(sshd.home, name), noise);
    await writeFile(join(sshd.home, '.tcshrc'), 'echo noise of a startup file\n');
  });
  afterAll(() => sshd[Symbol.asyncDispose]());

  describe.each(Object.entries(SHELLS))('and %s', (name, shell) => {
    needs(name, programPath(shell.split(' ')[0] ?? ''), () => {
      test('given noisy startup files, when programs run, then their outputs, status and limits are as anywhere', async () => {
        await using host = sshHostOn(sshd, { port: sshd.portOf(shell) });
        await host.open();

        await expectAsAnywhere(host);
      });
    });
  });

  test('given a server that starts commands in its own group, when a command is killed, then only the command is', async () => {
    await using host = sshHostOn(sshd, { port: sshd.portOf(NO_GROUP) });
    await host.open();

    await expectAsAnywhere(host);
  });
});

async function expectAsAnywhere(host: SshHost): Promise<void> {
  const outcome = await host.run('sh', ['-c', 'cat; printf "%s" "$1" >&2; exit 3', 'sh', "a'b\n!$x"], {
    ...WITHIN,
    input: 'é\0',
  });
  expect(outcome).toMatchObject({ status: 3, stdout: 'é\0', stderr: "a'b\n!$x" });
  const stopped = await host.run('sh', ['-c', 'echo $$; sleep 600 & echo $!; wait'], { timeoutMs: 1_000 });
  expect(stopped).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
  for (const pid of stopped.stdout.trim().split('\n')) {
    await expect.poll(() => host.processes.isRunning(Number(pid))).toBe(false);
  }
  const environment = await host.environment();
  expect(environment['LC_ALL'] ?? environment['LC_CTYPE'] ?? environment['LANG']).toMatch(/utf-?8/iu);
  const stream = await host.spawnStream('cat', []);
  stream.write('streamed');
  stream.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.output) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('streamed');
}
