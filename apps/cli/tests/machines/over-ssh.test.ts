/** Does a host with nothing of Drover's on it become a machine by one command, and stay one? Real sshd, real processes. */
import { readdirSync } from 'node:fs';
import { sshdProgram } from '@drover/host/testing';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { SshMachine } from '../support/ssh-machine.ts';

describe.skipIf(sshdProgram() === undefined)('over a real sshd, which needs openssh-server', () => {
  test('given a host that only ssh reaches, when it is added, then its key is confirmed first, and a task is done and accepted there', async () => {
    await using sandbox = await Sandbox.withRoot();
    await using host = await SshMachine.start(sandbox);
    await sandbox.up();

    const unconfirmed = await host.add('far');
    const repeat = /drover machines add .* --host-key (SHA256:\S+)/u.exec(unconfirmed.stderr);
    const added = await host.add('far', ['--host-key', repeat?.[1] ?? '']);
    const worker = await sandbox.drover(['add', 'adam', '--machine', 'far']);
    await sandbox.until('adam', 'idle');
    await sandbox.drover(['start', '--worker', 'adam', '--prompt', 'WRITE far.txt it\nCOMMIT from far away']);
    await sandbox.until('adam', 'needs_review');
    await sandbox.drover(['review', 'adam']);
    const accepted = await sandbox.drover(['accept', 'adam']);

    expect(unconfirmed).toMatchObject({ status: 1 });
    expect(repeat?.[1]).toBe(host.fingerprint);
    expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining('"far" is a machine of the fleet now') });
    expect(worker).toMatchObject({ status: 0 });
    expect(accepted).toMatchObject({ status: 0 });
    expect(await sandbox.git('log', '--format=%s', '-1', 'main')).toBe('from far away');
    expect(readdirSync(host.stateDirectory)).toEqual(
      expect.arrayContaining(['epoch', 'host-id', 'hooks', 'workspace']),
    );
  }, 300_000);
});
