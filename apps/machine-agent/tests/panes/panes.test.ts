/** Checks that the coordinator hears of changes in sessions that nobody commanded. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { deliverCommand } from '../support/deliver-command.ts';
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

test('given an open session, when it is told to open again under another conversation, then it goes on and is found by both names', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();

  const again = await expectKind(coordinator.carriedOut(settings, { kind: 'open', launch: FRESH }), 'opened');
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY remember this')), 'delivered');
  const from = coordinator.stored.length;
  const launch = { kind: 'resume', conversation: FRESH.conversation } as const;
  await expectKind(coordinator.carriedOut(settings, { kind: 'respawn', incarnation, launch, force: true }), 'opened');
  await machine.answered(settings, from);

  expect(again.incarnation).toBe(incarnation);
  // The program says that it started, some time after its pane is there.
  await expect.poll(() => machine.resumed(), { timeout: 60_000, interval: 50 }).toEqual([false, true]);
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

test('given workers of one name, when they are of two projects, then each has a session and an agent of its own; when of one checkout, the second is refused', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const namesake = machine.worker();
  const elsewhere = { ...namesake.project, id: randomUUID(), root: `${machine.root}-2` };
  const sameCheckout = { ...machine.worker(), project: settings.project };

  const other = await machine.ready({ ...namesake, project: elsewhere });
  const refused = await coordinator.carriedOut(sameCheckout, { kind: 'open', launch: FRESH });
  await expectKind(coordinator.carriedOut(settings, { kind: 'close' }), 'closed');

  expect(refused).toMatchObject({ kind: 'failed', code: 'worktree-in-use' });
  expect(other).not.toBe(incarnation);
  expect(machine.tmux('list-sessions', '-F', '#{session_name} #{@drover_worker}')).not.toContain(settings.workerId);
  expect(machine.tmux('list-sessions', '-F', '#{session_name} #{@drover_worker}')).toContain(
    `drover-alba_${namesake.workerId.slice(-8)} ${namesake.workerId}`,
  );
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

test('given a limit on the screen, when the program ends there, then the exit says so', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const from = coordinator.stored.length;
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'RATE 7pm (UTC)')), 'delivered');
  await until('the limit', () =>
    coordinator.stored.slice(from).find(({ body }) => {
      if (body.kind !== 'screen') return false;
      const { state } = body.reading;
      return state.kind === 'error' || (state.kind === 'dialog' && state.dialog.kind === 'limit');
    }),
  );

  process.kill(Number(incarnation.split('.').at(-1)), 'SIGKILL');
  const { exit } = await until('the exit', () => coordinator.bodies('exit')[0]);

  expect(exit.limit).not.toBeNull();
});

test('given a running agent, when a person asks for its screen, then the screen is answered', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  await machine.ready(settings);

  const pane = await expectKind(coordinator.ask(settings, { kind: 'read-pane', lines: 50 }), 'pane');

  expect(pane.text).toContain('Claude Code');
});
