/** Checks the fate of a text between Enter and its turn that nobody saw completely. Nothing is guessed, and nothing typed twice. */
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalClock, systemClock } from '@drover/base';
import type { WorkerSettings } from '@drover/protocol';
import { expect, test } from 'vitest';
import { expectKind, TestMachine, type Place } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

test.concurrent.each([
  ['as it was', 0],
  ['set an hour forwards', 3_600_000],
])(
  'given a text whose turn is late, when the agent dies after Enter and the clock is %s, then a look waits for that turn',
  async (_, aheadMs) => {
    await using machine = await TestMachine.start();
    const { coordinator } = machine;
    const settings = machine.worker();
    const first = machine.agentProcess();
    const incarnation = await machine.ready(settings);
    await nextTurnAfter(machine, { settings, incarnation, ms: 5_000 });
    first.kill('SIGKILL');
    await once(first, 'exit');
    const dying = machine.agentProcess('entered');

    const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY late words'));
    await once(dying, 'exit');
    await machine.agent({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } });
    await expectKind(coordinator.result(command.id), 'unknown');
    const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
    const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

    expect(observed.delivery?.kind).toBe('taken');
    expect(machine.taken()).toEqual(['LATETURN 5000', 'SAY late words']);
  },
);

test.concurrent('given a text that vanished, when another turn begins meanwhile, then nobody says that the text was taken', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, command, clock } = await textThatVanished(machine);
  const go = join(machine.dir, 'go');
  await typedByHand(machine, `WAITFILE ${go}`);
  // Enter that comes in one read with the words is swallowed.
  await until('their turn', () => {
    if (machine.taken().includes(`WAITFILE ${go}`)) return true;
    machine.tmux('send-keys', '-t', 'drover-alba:', 'Enter');
    return undefined;
  });
  await until('their turn on the screen', () => (screenOf(machine).includes('esc to interrupt') ? true : undefined));

  clock.goOn();
  const { why, receipt } = await expectKind(coordinator.result(command.id), 'unknown');
  const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
  const during = await expectKind(coordinator.carriedOut(settings, observe), 'observed');
  machine.touch(go);
  let after = await expectKind(coordinator.carriedOut(settings, observe), 'observed');
  // The end of the turn shows in a moment.
  while (after.delivery?.kind === 'unclear')
    after = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  expect(why).toBe('a turn began, and the transcript lacks the text');
  expect(receipt).toMatchObject({ enters: 1, evidence: expect.arrayContaining([why]) });
  expect(during.delivery?.kind).toBe('unclear');
  expect(after.delivery?.kind).toBe('absent');
  expect(machine.taken()).toEqual(['LATETURN 3600000', `WAITFILE ${go}`]);
});

test.concurrent('given a text that vanished, when a person writes into the box meanwhile, then nobody says that the text was lost', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, command, clock } = await textThatVanished(machine);
  await typedByHand(machine, 'words of a person');

  clock.goOn();
  const { why, receipt } = await expectKind(coordinator.result(command.id), 'unknown');
  const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
  const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  expect(why).toBe('another text is in the box');
  expect(receipt).toMatchObject({ enters: 1, evidence: expect.arrayContaining([why]) });
  expect(observed.delivery).toEqual({ kind: 'unclear', why });
  expect(machine.taken()).toEqual(['LATETURN 3600000']);
});

test.concurrent('given a text that was submitted, when tmux does not answer, then its outcome is unknown and a look finds it', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { promise: entered, resolve } = Promise.withResolvers<void>();
  await agentThatTells(machine, resolve);
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  await nextTurnAfter(machine, { settings, incarnation, ms: 2_000 });
  const server = Number(machine.tmux('display-message', '-p', '#{pid}'));

  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY it once'));
  await entered;
  await until('the empty box', () => (screenOf(machine).includes('SAY it once') ? undefined : true));
  process.kill(server, 'SIGSTOP');
  const { why } = await expectKind(coordinator.result(command.id), 'unknown').finally(() =>
    process.kill(server, 'SIGCONT'),
  );
  const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
  const observed = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  expect(why).toContain('its delivery broke off');
  expect(observed.delivery?.kind).toBe('taken');
  expect(machine.taken()).toEqual(['LATETURN 2000', 'SAY it once']);
});

test.concurrent('given words in the queue of a program whose hook spoke at once, when the program dies, then a look finds them absent', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SLOW 3600000')), 'delivered');
  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY later', { mayQueue: true }));
  await expectKind(coordinator.result(command.id), 'queued');
  const payload = { hook_event_name: 'UserPromptSubmit', prompt: 'SAY later' };
  writeHook(machine, settings, payload);
  const observe = { kind: 'observe', base: null, delivery: command.seq } as const;
  const alive = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  process.kill(Number(incarnation.split('.').at(-1)), 'SIGKILL');
  await until('its exit', () => coordinator.bodies('exit')[0]);
  const dead = await expectKind(coordinator.carriedOut(settings, observe), 'observed');

  expect(alive.delivery).toEqual({ kind: 'taken', by: 'screen' });
  expect(dead.delivery).toEqual({ kind: 'absent' });
});

/** Writes as a hook of the worker's program would. */
function writeHook(machine: TestMachine, { workerId }: WorkerSettings, payload: object): void {
  const hooks = join(machine.dir, 'data', 'hooks');
  writeFileSync(join(hooks, `${workerId}.payloads`, 'fromatest0'), JSON.stringify(payload));
  appendFileSync(join(hooks, `${workerId}.news`), 'fromatest0\n');
}

/** Makes the next prompt leave the box at once, and its turn begin so many milliseconds later. */
async function nextTurnAfter(machine: TestMachine, { ms, ...place }: Place & { ms: number }): Promise<void> {
  await machine.turn(place, `LATETURN ${ms}`);
}

/** Starts an agent in this process, which calls at the second Enter: then the text that matters was submitted. */
async function agentThatTells(
  machine: TestMachine,
  submitted: () => void,
  clock: LocalClock = systemClock,
): Promise<void> {
  let enters = 0;
  const crashPoint = (point: string): void => {
    if (point === 'entered') enters += 1;
    if (point === 'entered' && enters === 2) submitted();
  };
  await machine.agent({ clock, crashPoint });
}

/** Makes the program take the text out of its box without ever beginning its turn. No time passes from Enter on until the clock goes on. */
async function textThatVanished(
  machine: TestMachine,
): Promise<{ settings: WorkerSettings; command: { id: string; seq: number }; clock: HeldClock }> {
  const { coordinator } = machine;
  const clock = new HeldClock();
  await agentThatTells(machine, () => clock.hold(), clock);
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  await nextTurnAfter(machine, { settings, incarnation, ms: 3_600_000 });
  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY never'));
  await until('Enter', () => (clock.isHeld ? true : undefined));
  await until('the empty box', () => (screenOf(machine).includes('SAY never') ? undefined : true));
  return { settings, command, clock };
}

/** Types words of a person into the box, without Enter. */
async function typedByHand(machine: TestMachine, words: string): Promise<void> {
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', words);
  await until('the words in the box', () => (screenOf(machine).includes(words) ? true : undefined));
}

/** LocalClock of this machine that a test can hold: then no time passes, while timers still fire. */
class HeldClock implements LocalClock {
  readonly now = systemClock.now;
  readonly after = systemClock.after;
  #lostMs = 0;
  #heldAt: number | undefined;

  get isHeld(): boolean {
    return this.#heldAt !== undefined;
  }

  elapsed(): number {
    return this.#heldAt ?? systemClock.elapsed() - this.#lostMs;
  }

  hold(): void {
    this.#heldAt = this.elapsed();
  }

  goOn(): void {
    this.#lostMs = systemClock.elapsed() - this.elapsed();
    this.#heldAt = undefined;
  }
}

function screenOf(machine: TestMachine): string {
  return machine.tmux('capture-pane', '-p', '-t', 'drover-alba:');
}
