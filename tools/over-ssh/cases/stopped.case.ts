// Stops the server's process of a connection in the middle of a text, lets it go on when another connection has its place, and checks the
// text.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sshHostOn, startSshd } from '@drover/host/testing';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../../../apps/machine-agent/tests/support/machine.ts';
import { deliverCommand } from '../../../apps/machine-agent/tests/support/deliver-command.ts';
import { until } from '../../../apps/machine-agent/tests/support/until.ts';

/** Milliseconds until a silent connection has been given up and made again, with patience for a loaded machine. */
const AGAIN_MS = 120_000;

test('given a server that stops between paste and Enter, and at rest, when it goes on later, then each text is taken once, and the late one writes nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const machine = stack.use(await TestMachine.start());
  const sshd = stack.use(await startSshd());
  const host = stack.use(sshHostOn(sshd, { env: { HOME: machine.plainOptions.home, GIT_CONFIG_NOSYSTEM: '1' } }));
  const { stateDirectory } = await host.open();
  const states: string[] = [];
  host.link.onChange(({ kind }) => states.push(kind));
  const late = join(sshd.home, 'late');
  let stopAt: string | undefined;
  let stopped: readonly number[] = [];
  let written: Promise<unknown> = Promise.resolve();
  const stop = (): void => {
    stopped = sshd.signalSessions('SIGSTOP');
    written = host.appendFile(late, 'a line\n').then(
      () => 'written',
      ({ code }: { readonly code: string }) => code,
    );
  };
  stack.use(
    await machine.agent({
      host,
      machineDir: stateDirectory,
      env: {},
      crashPoint(point, kind) {
        if (kind !== 'deliver' || point !== stopAt) return;
        stopAt = undefined;
        stop();
      },
    }),
  );
  const { coordinator } = machine;
  const settings = machine.worker('alba', { skipPermissions: true });
  const incarnation = await machine.ready(settings);

  stopAt = 'typed';
  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY one'));
  await until('the link to be back', () => states.join() === 'down,up', AGAIN_MS);
  const broken = await coordinator.result(command.id);
  const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
  const { delivery } = await expectKind(coordinator.carriedOut(settings, observe), 'observed');
  expect(broken.kind).toBe('unknown');
  expect(delivery?.kind).toBe('in-box-whole');
  await expectKind(
    coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY one', { enterOnly: true })),
    'delivered',
  );
  await goOn();
  await machine.turn({ settings, incarnation }, 'SAY two');

  // The text comes at rest, and is typed while the stopped process is still there.
  stop();
  await until('the link to be back again', () => states.join() === 'down,up,down,up', AGAIN_MS);
  await machine.turn({ settings, incarnation }, 'SAY three');
  await goOn();
  await machine.turn({ settings, incarnation }, 'SAY four');

  expect(machine.taken()).toEqual(['SAY one', 'SAY two', 'SAY three', 'SAY four']);
  expect(coordinator.bodies('exit')).toEqual([]);
  // A turn later, so that what a late shell was given would have been done.
  expect(await readFile(late, 'utf8').catch(() => '')).toBe('');

  /** Text that was sent to the process while it stood still is never written, also not when its processes go on. */
  async function goOn(): Promise<void> {
    expect(await written).toBe('connection-lost');
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await until('the late processes to end', () => stopped.every((pid) => !existsSync(`/proc/${pid}`)));
  }
});
