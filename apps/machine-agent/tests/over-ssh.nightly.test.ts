/** Checks that a machine over SSH, without anything of Drover's installed on it, is looked after as a local one. A real sshd on loopback. */
import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BadLink, sshdProgram, sshHostOn, startSshd, type TestSshd } from '@drover/host/testing';
import { describe, expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

/** Starts an agent in this process whose panes, clones and hooks are behind the server. */
async function startOver(sshd: TestSshd, machine: TestMachine, stack: AsyncDisposableStack) {
  const env = { HOME: machine.plainOptions.home, GIT_CONFIG_NOSYSTEM: '1' };
  const link = stack.use(await BadLink.to(sshd.port));
  const host = stack.use(sshHostOn(sshd, { env, port: link.port }));
  const { stateDirectory } = await host.open();
  const agent = stack.use(await machine.agent({ host, machineDir: stateDirectory, env: {} }));
  return { host, agent, link, stateDirectory };
}

describe.skipIf(sshdProgram() === undefined)('over a real sshd, which needs openssh-server', () => {
  test('given a machine over SSH, when a task is done there, its link is cut, its program killed and all of it started again, then all is told as of a local machine', async () => {
    await using stack = new AsyncDisposableStack();
    const machine = stack.use(await TestMachine.start());
    const sshd = stack.use(await startSshd());
    const { coordinator } = machine;
    const { host, link, stateDirectory } = await startOver(sshd, machine, stack);
    const settings = machine.worker('alba', { skipPermissions: true });

    const incarnation = await machine.ready(settings);
    const prompt = 'EDIT a.txt two\nCOMMIT The second line';
    const delivered = await machine.turn({ settings, incarnation }, prompt);
    const observed = await expectKind(
      coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null }),
      'observed',
    );

    expect(machine.taken()).toEqual([prompt]);
    expect(delivered.receipt.evidence.join()).toContain('transcript');
    expect(observed.git).toMatchObject({ ahead: 1, dirty: 0, subject: 'The second line' });
    expect(await host.readdir(join(stateDirectory, 'hooks'))).toContainEqual({
      name: `${settings.workerId}.access.json`,
      kind: 'file',
    });

    // The agent keeps only its own files, and nothing of the machine.
    const kept = readdirSync(machine.plainOptions.dataDir).filter((name) => !/^(?:agent\.db|machine-key)/u.test(name));
    expect(kept).toEqual([]);

    const states: string[] = [];
    host.link.onChange(({ kind }) => states.push(kind));
    await sshd.killSessions();
    await until('the link to be back', () => states.at(-1) === 'up');
    const after = await machine.turn({ settings, incarnation }, 'SAY hello after the cut');

    expect(states).toEqual(['down', 'up']);
    expect(machine.taken()).toEqual([prompt, 'SAY hello after the cut']);
    expect(after.receipt.evidence.join()).toContain('transcript');
    expect(coordinator.bodies('exit')).toEqual([]);

    await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SLOW 60000')), 'delivered');
    process.kill(Number(incarnation.split('.').at(-1)), 'SIGKILL');
    const { exit } = await until('the exit', () => coordinator.bodies('exit')[0]);

    expect(exit).toMatchObject({ incarnation, signal: 9, status: null });
    await expectKind(coordinator.carriedOut(settings, { kind: 'close' }), 'closed');
    expect(coordinator.bodies('exit')).toHaveLength(1);

    // The machine starts again, as far as loopback can: it does not answer, and everything that ran on it is gone.
    const before = await machine.ready(settings);
    const [server = '', program = ''] = [before.split('.')[0], before.split('.').at(-1)];
    const lists = coordinator.bodies('panes').length;
    link.refuse(true);
    link.cut();
    for (const pid of [server, program]) process.kill(Number(pid), 'SIGKILL');
    await until('the loss of the machine', () => states.at(-1) === 'down');
    link.refuse(false);
    await until('a list without the pane', () => coordinator.bodies('panes').slice(lists).at(-1)?.panes.length === 0);
    const again = await machine.ready(settings);

    expect(again).not.toBe(before);
    const ends = coordinator.bodies('exit').filter((one) => one.exit.incarnation === before);
    expect(ends.length).toBeLessThan(2);
    expect(coordinator.bodies('exit').length).toBe(1 + ends.length);
  });

  test('given a pane that went on under another conversation, when another gateway comes and its program is started again, then it goes on with what it knew', async () => {
    await using stack = new AsyncDisposableStack();
    const machine = stack.use(await TestMachine.start());
    const sshd = stack.use(await startSshd());
    const { coordinator } = machine;
    const { host, agent, stateDirectory } = await startOver(sshd, machine, stack);
    const settings = machine.worker('alba');
    const incarnation = await machine.ready(settings);
    const conversation = randomUUID();
    const again = { kind: 'open', launch: { kind: 'fresh', conversation } } as const;
    expect(await expectKind(coordinator.carriedOut(settings, again), 'opened')).toEqual({
      kind: 'opened',
      incarnation,
    });
    await machine.turn({ settings, incarnation }, 'SAY remember this');

    await agent[Symbol.asyncDispose]();
    // The next gateway speaks for the machine with its key, and has no memory of it.
    const [before, dataDir] = [machine.plainOptions.dataDir, join(machine.dir, 'another')];
    cpSync(before, dataDir, { recursive: true, filter: (path) => !/agent\.db/u.test(path) });
    const lists = coordinator.bodies('panes').length;
    stack.use(await machine.agent({ host, machineDir: stateDirectory, env: {}, dataDir }));
    await until('a list of the next gateway', () => coordinator.bodies('panes').length > lists);
    const from = coordinator.stored.length;
    const launch = { kind: 'resume', conversation } as const;
    await expectKind(coordinator.carriedOut(settings, { kind: 'respawn', incarnation, launch, force: true }), 'opened');
    await machine.answered(settings, from);

    await expect.poll(() => machine.resumed(), { timeout: 60_000, interval: 50 }).toEqual([false, true]);
  });
});
