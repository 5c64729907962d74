/** Tests that a host without anything of Drover becomes a machine by one command, and stays one. Real sshd, real processes. */
import { readdirSync } from 'node:fs';
import { sshdProgram } from '@drover/host/testing';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { SshMachine } from '../support/ssh-machine.ts';
import { until } from '../../../../tools/fleet/wait.ts';

describe.skipIf(sshdProgram() === undefined)('over a real sshd, which needs openssh-server', () => {
  test('given a host that only ssh reaches, when it is added, then its key is confirmed first, and a task is done and accepted there', async () => {
    await using sandbox = await Sandbox.withRoot();
    await sandbox.configure(
      '[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[machines.far.env]\nFROM = "its gateway"\n',
    );
    await using host = await SshMachine.start(sandbox);
    await sandbox.up();

    const unconfirmed = await host.add('far');
    const repeat = /drover machine add .* --host-key (SHA256:\S+)/u.exec(unconfirmed.stderr);
    const added = await host.add('far', ['--host-key', repeat?.[1] ?? '']);
    const worker = await sandbox.drover(['add', 'adam', '--machine', 'far']);
    await sandbox.until('adam', 'idle');
    await sandbox.drover(['start', '--worker', 'adam', '--prompt', 'RUN printenv FROM >far.txt\nCOMMIT from far away']);
    await sandbox.until('adam', 'needs_review');
    await sandbox.drover(['review', 'adam']);
    const accepted = await sandbox.drover(['accept', 'adam']);
    const down = await sandbox.drover(['down']);

    expect(unconfirmed).toMatchObject({ status: 1 });
    expect(repeat?.[1]).toBe(host.fingerprint);
    expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining('"far" is now a machine of the fleet') });
    expect(worker).toMatchObject({ status: 0 });
    expect(accepted).toMatchObject({ status: 0 });
    // State for a machine over SSH does not keep `drover up` from its end.
    expect(down).toMatchObject({ status: 0 });
    expect(host.tmuxServers()).toEqual([]);
    expect(await sandbox.git('log', '--format=%s', '-1', 'main')).toBe('from far away');
    // The gateway's configuration for the machine holds for its programs.
    expect(await sandbox.git('show', 'main:far.txt')).toBe('its gateway');
    expect(readdirSync(host.stateDirectory)).toEqual(
      expect.arrayContaining(['epoch', 'host-id', 'hooks', 'workspace']),
    );
  }, 300_000);

  test('given two gateways, when the one that serves is killed in the middle of a task and the key of the host changes later, then the other takes over, the machine stops until its key is trusted, and the work is accepted', async () => {
    await using sandbox = await Sandbox.withRoot();
    await sandbox.configure(
      '[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\nsuspect_after_secs = 6\ndisconnected_after_secs = 60\n',
    );
    await using host = await SshMachine.start(sandbox);
    const up = await sandbox.up(['--no-gateway']);
    await using first = await GatewayProcess.start(sandbox, up, 'first');
    await host.add('far', ['--host-key', host.fingerprint]);
    await using second = await GatewayProcess.start(sandbox, up, 'second');
    await sandbox.drover(['add', 'adam', '--machine', 'far']);
    await sandbox.until('adam', 'idle');
    await sandbox.drover([
      'start',
      '--worker',
      'adam',
      '--prompt',
      'SLOW 8000\nWRITE far.txt it\nCOMMIT from far away',
    ]);
    await sandbox.until('adam', 'working');
    const before = await host.shown('far');

    await first.kill();
    const taken = await until('the other gateway to serve it', async () => {
      const now = await host.shown('far');
      return now.ssh?.gateway === 'second' && now.ssh.state === 'connected' ? now : undefined;
    });
    await sandbox.until('adam', 'needs_review');
    await host.changeKey();
    const stopped = await host.until('far', 'key-changed');
    const unasked = await sandbox.drover(['machine', 'trust', 'far']);
    const trusted = await sandbox.drover(['machine', 'trust', 'far', '--host-key', host.fingerprint]);
    await host.until('far', 'connected');
    await sandbox.drover(['review', 'adam']);
    const accepted = await sandbox.drover(['accept', 'adam']);

    expect(before.ssh).toMatchObject({ gateway: 'first', epoch: 1 });
    expect(second.isRunning).toBe(true);
    expect(taken.ssh?.epoch).toBe(2);
    expect(stopped.ssh?.fingerprint).toBe(host.fingerprint);
    expect(stopped.ssh?.why).toContain(before.ssh?.pinned[0]);
    expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining(`--host-key ${host.fingerprint}`) });
    expect(trusted).toMatchObject({ status: 0 });
    expect(accepted).toMatchObject({ status: 0 });
    expect(await sandbox.git('log', '--format=%s', 'main')).toBe('from far away\nfirst');
  }, 400_000);

  test('given a worker in the middle of its task, when its host starts again, then it goes on there with its work, and why names the restart', async () => {
    await using sandbox = await Sandbox.withRoot();
    await sandbox.configure('[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n');
    await using host = await SshMachine.start(sandbox, { ownBootId: true });
    await sandbox.up();
    await host.add('far', ['--host-key', host.fingerprint]);
    await sandbox.drover(['add', 'adam', '--machine', 'far']);
    await sandbox.until('adam', 'idle');
    const task = 'RUN [ -e begun.txt ] || { echo half >begun.txt; sleep 600; }\nCOMMIT from far away';
    await sandbox.drover(['start', '--worker', 'adam', '--prompt', task]);
    const isBegun = (): boolean =>
      readdirSync(host.stateDirectory, { recursive: true }).some((file) => String(file).endsWith('/begun.txt'));
    await until('half of its work', () => isBegun() || undefined);

    await host.reboot('second');
    await sandbox.until('adam', 'needs_review');
    const why = await sandbox.drover(['why', 'adam', '--all']);
    await sandbox.drover(['review', 'adam']);
    const accepted = await sandbox.drover(['accept', 'adam']);

    expect(why.stdout).toContain('its machine restarted, and its session is gone');
    expect(accepted).toMatchObject({ status: 0 });
    expect(await sandbox.git('show', 'main:begun.txt')).toBe('half');
    expect(await sandbox.git('log', '--format=%s', 'main')).toBe('from far away\nfirst');
  }, 300_000);
});
