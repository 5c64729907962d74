/** Checks that a program's own records are heard, but never against a screen that has gone on. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

/** Writes the status of a program as the program itself would. */
function writeStatus(machine: TestMachine, incarnation: string, status: string): void {
  const directory = join(machine.dir, 'home', '.sim-agent', 'sessions');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${incarnation.split('.').at(-1)}.json`);
  writeFileSync(path, JSON.stringify({ status, statusUpdatedAt: Date.now(), updatedAt: Date.now() }));
}

test('given a permission dialog, when it opens, then its whole command is known from the hook and all signals agree', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker('alba', { sessionWidth: 80 });
  const incarnation = await machine.ready(settings);
  const from = coordinator.stored.length;
  const command = `echo ${'many words '.repeat(20)}end`;
  await expectKind(
    coordinator.carriedOut(settings, deliverCommand(incarnation, `PERMISSION Bash ${command}`)),
    'delivered',
  );

  await coordinator.screen('permission', from);
  const { state } = (
    await until('the words of the hook', () =>
      coordinator
        .bodies('screen')
        .findLast(({ reading }) => reading.state.kind === 'permission' && reading.state.command === command),
    )
  ).reading;
  const screen = await until('agreement', async () => {
    const answer = await expectKind(coordinator.ask(settings, { kind: 'read-screen' }), 'screen');
    return answer.evidence.some(({ source }) => source === 'structured') ? answer : undefined;
  });

  const hooks = join(machine.dir, 'data', 'hooks');
  const made = readdirSync(hooks, { recursive: true, withFileTypes: true });
  const modes = made
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777);

  expect(state).toMatchObject({ tool: 'Bash', command });
  expect(statSync(hooks).mode & 0o777).toBe(0o700);
  expect(modes.length).toBeGreaterThan(4);
  expect(new Set(modes)).toEqual(new Set([0o600]));
  expect(screen.confidence).toBe('high');
  expect(screen.evidence.map(({ source }) => source)).toContain('hook');
});

test('given a program whose own word contradicts its screen, when it does so for long, then nobody knows and nothing is typed', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();

  const earlier = coordinator.stored.length;
  writeStatus(machine, incarnation, 'busy');
  const unknown = await coordinator.screen('unknown', earlier);
  const refused = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY too early'));
  const from = coordinator.stored.length;
  writeStatus(machine, incarnation, 'idle');
  await coordinator.screen('ready', from);
  const delivered = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY now'));

  expect(unknown.reading.state).toEqual({ kind: 'unknown', why: 'contradiction' });
  expect(refused).toMatchObject({ kind: 'refused', why: 'not-ready' });
  expect(delivered.kind).toBe('delivered');
  expect(machine.taken()).toEqual(['SAY now']);
});
