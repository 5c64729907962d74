/** Checks sessions that are opened again, share a name, or are at a limit, and what a person sees of one. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { deliverCommand } from '../support/deliver-command.ts';
import { until } from '../support/until.ts';

const FRESH = { kind: 'fresh', conversation: '22222222-2222-4222-8222-222222222222' } as const;

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
