/** Checks that the coordinator hears of changes in sessions that nobody commanded. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { until } from '../support/until.ts';

const FRESH = { kind: 'fresh', conversation: '22222222-2222-4222-8222-222222222222' } as const;

test('given an open session, when the tmux server is killed, then the empty list of panes is told and it can be opened anew', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await machine.ready(settings);

  machine.tmux('kill-server');
  await until('an empty list of panes', () =>
    coordinator
      .bodies('panes')
      .slice(1)
      .find(({ panes }) => panes.length === 0),
  );
  const from = coordinator.stored.length;
  await expectKind(
    coordinator.carriedOut(settings, { kind: 'open', launch: { ...FRESH, conversation: randomUUID() } }),
    'opened',
  );
  await machine.answered(settings, from);

  expect(coordinator.bodies('exit')).toEqual([]);
});

test("given a person's session of a worker's name, when the worker is opened, then it is refused and left alone", async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await expectKind(
    coordinator.carriedOut(settings, { kind: 'prepare', reset: true, saveAs: randomUUID() }),
    'prepared',
  );
  machine.tmux('new-session', '-d', '-s', 'drover-alba', 'cat');

  const failed = await coordinator.carriedOut(settings, { kind: 'open', launch: FRESH });

  expect(failed).toMatchObject({ kind: 'failed', code: 'session-name-taken', retry: false });
  expect(machine.tmux('list-sessions', '-F', '#{session_name}')).toContain('drover-alba');
});

test('given a profile that nobody knows, a program that is missing, and no worktree, when opened, then each is said', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();

  const unknown = await coordinator.carriedOut({ ...settings, profile: 'nobody' }, { kind: 'open', launch: FRESH });
  const early = await coordinator.carriedOut(settings, { kind: 'open', launch: FRESH });

  expect(unknown).toMatchObject({ kind: 'failed', code: 'profile-unknown', retry: false });
  expect(early).toMatchObject({ kind: 'failed', code: 'worktree-missing', retry: true });
});

test('given a machine without tmux, when a worker is opened, then the machine is connected and says what is missing', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { env } = machine.plainOptions;
  await machine.agent({ env: { ...env, PATH: '/nonexistent' } });

  const failed = await coordinator.carriedOut(machine.worker(), { kind: 'open', launch: FRESH });

  expect(failed).toMatchObject({ kind: 'failed', code: 'tmux-missing', retry: false });
});
