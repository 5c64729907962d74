/** Checks that a host is examined on the link that serves it, and keeps no tmux of a gateway that left. A real sshd on loopback. */
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { newSecret, sshdProgram, startSshd, type TestSshd } from '@drover/host/testing';
import type { ServedMachine } from '@drover/protocol';
import { socketName, TmuxServer } from '@drover/tmux';
import { describe, expect, test } from 'vitest';
import { SshReach } from '../../src/gateway/reach.ts';

/** Connects as a gateway does that knows the key of the host. */
function connectionTo(sshd: TestSshd): ReturnType<SshReach['connect']> {
  const reach = new SshReach({
    env: { PATH: process.env['PATH'], HOME: sshd.home },
    clock: systemClock,
    directory: sshd.directory,
    newSecret,
    chance: Math.random,
    envOf: () => ({}),
  });
  const machine: Partial<ServedMachine> = {
    machineId: 'm',
    name: 'far',
    epoch: 1,
    hostId: null,
    pinned: [sshd.hostKey],
    connection: {
      destination: `${sshd.user}@127.0.0.1`,
      port: sshd.port,
      identity: sshd.keyFile,
      jump: null,
      carrier: null,
    },
  };
  return reach.connect(machine as ServedMachine, new AbortController().signal);
}

describe.skipIf(sshdProgram() === undefined)('over a real sshd, which needs openssh-server', () => {
  test.each(['MaxSessions 10', 'MaxSessions 2'])(
    'given a host with a known key and %s, when it is examined and opened, then both use one connection, and commands run',
    async (line) => {
      await using sshd = await startSshd({ lines: [line] });
      await using connection = connectionTo(sshd);

      const findings = await connection.examine();
      const { host } = await connection.open();

      expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
      expect(await host.run('echo', ['served'], { timeoutMs: 60_000 })).toMatchObject({ stdout: 'served\n' });
      expect(sshd.log().match(/Accepted publickey/gu)).toHaveLength(1);
    },
  );

  test('given one tmux with a session and one without, when the host is left, then only the one with a session goes on', async () => {
    await using sshd = await startSshd();
    await using connection = connectionTo(sshd);
    await connection.examine();
    const { host, runtimeDir } = await connection.open();
    await host.mkdir(runtimeDir);
    const [unused = '', used = ''] = [1, 2].map((number) => join(runtimeDir, socketName(number)));
    const tmux = async (...args: readonly string[]): Promise<number | undefined> =>
      (await host.run('tmux', ['-S', ...args], { timeoutMs: 60_000 })).status;
    for (const path of [unused, used]) {
      await using _ = await TmuxServer.open({
        host,
        clock: systemClock,
        socket: { kind: 'path', path },
        secret: newSecret(),
      });
    }
    expect(await tmux(used, 'new-session', '-d', '-s', 'drover-alba', 'sleep', '600')).toBe(0);

    await connection.tidy();

    const [isUnusedThere, isUsedThere] = [await tmux(unused, 'list-sessions'), await tmux(used, 'list-sessions')];
    await tmux(used, 'kill-server');
    expect(isUnusedThere).toBe(1);
    expect(isUsedThere).toBe(0);
  });
});
