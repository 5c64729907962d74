/** Checks that nothing is lost or done twice when the agent dies, wherever it dies. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../src/index.ts';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

test('given a task under way, when the agent is killed and started anew, then the pane goes on and is recognised', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = machine.agentProcess();
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SLOW 1500\nSAY done')), 'delivered');

  first.kill('SIGKILL');
  await once(first, 'exit');
  const from = coordinator.stored.length;
  await machine.agent();
  const { panes } = await until('the list of panes', () => coordinator.bodies('panes').slice(1)[0]);
  await coordinator.screen('ready', from);

  expect(panes).toEqual([{ workerId: settings.workerId, incarnation, dead: false }]);
  expect(coordinator.stored.slice(from).map(({ body }) => body.kind)[0]).toBe('panes');
  expect(machine.taken()).toHaveLength(1);
});

test('given a program that died while no agent ran, when one starts, then the exit is told', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = machine.agentProcess();
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  first.kill('SIGKILL');
  await once(first, 'exit');

  process.kill(Number(incarnation.split('.').at(-1)), 'SIGKILL');
  await machine.agent();

  const { exit } = await until('the exit', () => coordinator.bodies('exit')[0]);
  expect(exit).toMatchObject({ incarnation, signal: 9 });
});

test('given an agent that died just after it had started a program anew, when it is asked again, then it knows the conversation from the pane', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const first = machine.agentProcess();
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  const launch = { kind: 'fresh', conversation: randomUUID() } as const;
  const respawn = { kind: 'respawn', incarnation, launch, force: true } as const;
  const opened = await expectKind(coordinator.carriedOut(settings, respawn), 'opened');
  first.kill('SIGKILL');
  await once(first, 'exit');
  forgetIncarnations(join(machine.dir, 'data', 'agent.db'));
  const from = coordinator.stored.length;
  await machine.agent();

  const again = await expectKind(coordinator.carriedOut(settings, respawn), 'opened');
  await machine.answered(settings, from);
  const delivered = await expectKind(
    coordinator.carriedOut(settings, deliverCommand(again.incarnation, 'SAY hello')),
    'delivered',
  );

  expect(again).toEqual(opened);
  expect(delivered.receipt.evidence.join()).toContain('transcript');
});

/** Makes a database look as an agent left it that died before it could record the program that it had started. */
function forgetIncarnations(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('DELETE FROM incarnation');
  db.close();
}

const POINTS: readonly { point: CrashPoint; becomes: string; taken: number }[] = [
  { point: 'received', becomes: 'absent', taken: 0 },
  { point: 'started', becomes: 'absent', taken: 0 },
  { point: 'noted', becomes: 'absent', taken: 0 },
  { point: 'typed', becomes: 'in-box-whole', taken: 0 },
  { point: 'entered', becomes: 'taken', taken: 1 },
  { point: 'acted', becomes: 'taken', taken: 1 },
];

test.each(POINTS)(
  'given a delivery, when the agent dies at "$point", then its outcome is unknown and a look finds it $becomes',
  async ({ point, becomes, taken }) => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    const settings = machine.worker();
    const dying = machine.agentProcess(point);
    const incarnation = await machine.ready(settings);

    const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY a prompt with words of its own'));
    await once(dying, 'exit');
    await machine.agent();
    const result = await coordinator.result(command.id);
    const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
    const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

    expect(dying.signalCode).toBe('SIGKILL');
    expect(result.kind).toBe('unknown');
    expect(observed.delivery?.kind).toBe(becomes);
    expect(machine.taken()).toHaveLength(taken);
  },
);

const NEXT: readonly { point: CrashPoint; moment: string }[] = [
  { point: 'started', moment: 'before its next attempt took the notes over' },
  { point: 'acted', moment: 'just as its next attempt learns that' },
];

test.each(NEXT)(
  'given a text that was taken unseen, when the agent dies $moment, then a look finds it taken',
  async ({ point }) => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    const settings = machine.worker();
    const first = machine.agentProcess('acted');
    const incarnation = await machine.ready(settings);
    const words = deliverCommand(incarnation, 'SAY a prompt with words of its own');
    const typed = coordinator.command(settings, words);
    await once(first, 'exit');
    const second = machine.agentProcess(point);
    await expectKind(coordinator.result(typed.id), 'unknown');

    const again = coordinator.command(settings, words);
    await once(second, 'exit');
    await machine.agent();
    await expectKind(coordinator.result(again.id), 'unknown');
    const observe = { kind: 'observe', base: null, delivery: again.seq } as const;
    const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

    expect(observed.delivery?.kind).toBe('taken');
    expect(machine.taken()).toHaveLength(1);
  },
);

test('given a screen with an error and an empty box, when the agent dies before it typed, then a look finds the text absent', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const settings = machine.worker();
  const first = machine.agentProcess();
  const incarnation = await machine.ready(settings);
  const from = coordinator.stored.length;
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'APIERROR')), 'delivered');
  await coordinator.screen('error', from);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const dying = machine.agentProcess('noted');

  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY a prompt with words of its own'));
  await once(dying, 'exit');
  await machine.agent();
  await coordinator.result(command.id);
  const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
  const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  expect(observed.screen?.state.kind).toBe('error');
  expect(observed.delivery).toEqual({ kind: 'absent' });
});

test('given a delivery that was recorded, when the agent dies before it is told, then its result is told after all', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const settings = machine.worker();
  const dying = machine.agentProcess('recorded');
  const incarnation = await machine.ready(settings);

  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY a prompt with words of its own'));
  await once(dying, 'exit');
  await machine.agent();

  expect((await coordinator.result(command.id)).kind).toBe('delivered');
  expect(coordinator.resultsOf(command.id)).toHaveLength(1);
  expect(machine.taken()).toHaveLength(1);
});

test('given a text left in the box by a dead agent, when Enter alone is requested, then it is taken once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const settings = machine.worker();
  const dying = machine.agentProcess('typed');
  const incarnation = await machine.ready(settings);
  const command = deliverCommand(incarnation, 'SAY a prompt with words of its own');
  coordinator.command(settings, command);
  await once(dying, 'exit');
  await machine.agent();

  const enterOnly = coordinator.carriedOut(settings, { ...command, enterOnly: true } as typeof command);

  expect((await enterOnly).kind).toBe('delivered');
  expect(machine.taken()).toEqual(['SAY a prompt with words of its own']);
});

test("given a person's draft that was set aside, when the agent dies before it is back, then the next delivery brings it back", async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const settings = machine.worker();
  const dying = machine.agentProcess('typed');
  const incarnation = await machine.ready(settings);
  const screen = (): string => machine.tmux('capture-pane', '-p', '-t', 'drover-alba:');
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', 'my own draft');
  await until('the draft', () => screen().includes('my own draft'));
  const command = deliverCommand(incarnation, 'SAY a prompt with words of its own');
  coordinator.command(settings, command);
  await once(dying, 'exit');
  await machine.agent();

  const delivered = await expectKind(
    coordinator.carriedOut(settings, { ...command, enterOnly: true } as typeof command),
    'delivered',
  );

  expect(delivered.receipt.evidence.at(-1)).toBe('Drover restored the draft');
  expect(screen()).toContain('my own draft');
  expect(machine.taken()).toEqual(['SAY a prompt with words of its own']);
});
