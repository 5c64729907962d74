/** Checks that a machine carries a task from an empty directory to a commit, and reports its observations on the way. */
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

test('given a new machine, when a task is prepared, opened, delivered and committed, then every step is told', async () => {
  await using machine = await TestMachine.start();
  machine.simArgs = [];
  const { coordinator } = machine;
  await machine.agent();
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
  expect(delivered.receipt.steps.map(({ step }) => step)).toEqual([
    'preflight',
    'typed',
    'seen-in-box',
    'entered',
    'taken',
  ]);
  expect(observed.git).toMatchObject({ ahead: 1, dirty: 0, subject: 'The second line' });
  expect(observed.screen?.state.kind).toBe('ready');
  expect(observed.screen?.at).toBeGreaterThan(delivered.at);
  expect(coordinator.joins).toBe(1);
});

test('given a running agent, when it is closed, then its session and its program are gone and no exit is told', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await machine.ready(settings);

  await expectKind(coordinator.carriedOut(settings, { kind: 'close' }), 'closed');
  const observed = await expectKind(
    coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null }),
    'observed',
  );

  expect(observed.incarnation).toBeNull();
  expect(coordinator.bodies('exit')).toEqual([]);
});

test('given a task, when its program is killed, then the exit is told once with the signal, and a respawn resumes it', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const conversation = '11111111-1111-4111-8111-111111111111';
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SLOW 60000')), 'delivered');

  const pid = Number(incarnation.split('.').at(-1));
  process.kill(pid, 'SIGKILL');
  const { exit } = await until('the exit', () => coordinator.bodies('exit')[0]);
  const from = coordinator.stored.length;
  const again = await expectKind(
    coordinator.carriedOut(settings, {
      kind: 'respawn',
      incarnation,
      launch: { kind: 'resume', conversation },
      force: false,
    }),
    'opened',
  );
  await machine.answered(settings, from);

  expect(exit).toMatchObject({ incarnation, signal: 9, status: null, limit: null });
  expect(again.incarnation).not.toBe(incarnation);
  expect(coordinator.bodies('exit')).toHaveLength(1);
});
