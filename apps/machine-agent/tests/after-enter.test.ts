/** What became of a text between Enter and its turn, when nobody saw it all? Nothing is guessed, and nothing typed twice. */
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliverOp, expectKind, TestMachine, type Place } from './support.ts';
import { until } from './until.ts';

test('given a text whose turn is late, when the agent dies after Enter, then a look waits for that turn', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const seat = machine.seat();
  const first = machine.agentProcess();
  const incarnation = await machine.ready(seat);
  await nextTurnAfter(machine, { seat, incarnation, ms: 8_000 });
  first.kill('SIGKILL');
  await once(first, 'exit');
  const dying = machine.agentProcess('entered');

  const order = coordinator.order(seat, deliverOp(incarnation, 'SAY late words'));
  await once(dying, 'exit');
  await machine.agent();
  await expectKind(coordinator.result(order.id), 'unknown');
  const look = { kind: 'look', base: null, delivery: order.seq } as const;
  const looked = await expectKind(coordinator.ordered(seat, look), 'looked');

  expect(looked.delivery?.kind).toBe('taken');
  expect(machine.taken()).toEqual(['LATETURN 8000', 'SAY late words']);
}, 40_000);

test('given a text that vanished, when another turn begins meanwhile, then nobody says that the text was taken', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const counted = await agentThatCounts(machine);
  const seat = machine.seat();
  const incarnation = await machine.ready(seat);
  await nextTurnAfter(machine, { seat, incarnation, ms: 3_600_000 });

  const order = coordinator.order(seat, deliverOp(incarnation, 'SAY never'));
  await submitted(machine, counted, 'SAY never');
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', 'SLOW 3000');
  await until('the words in the box', () => (screenOf(machine).includes('SLOW 3000') ? true : undefined));
  // Enter that comes in one read with the words is swallowed.
  await until('their turn', () => {
    if (machine.taken().includes('SLOW 3000')) return true;
    machine.tmux('send-keys', '-t', 'drover-alba:', 'Enter');
    return undefined;
  });
  const { why, receipt } = await expectKind(coordinator.result(order.id), 'unknown');
  const look = { kind: 'look', base: null, delivery: order.seq } as const;
  let looked = await expectKind(coordinator.ordered(seat, look), 'looked');
  // While the other turn runs nobody can tell, and another look follows.
  while (looked.delivery?.kind === 'unclear') looked = await expectKind(coordinator.ordered(seat, look), 'looked');

  // On a loaded machine the person's words stand in the box until the text's time is over.
  expect(why).toMatch(/^(a turn began, and the transcript lacks the text|another text stands in the box)$/u);
  expect(receipt).toMatchObject({ enters: 1, evidence: expect.arrayContaining([why]) });
  expect(looked.delivery?.kind).toBe('absent');
  expect(machine.taken()).toEqual(['LATETURN 3600000', 'SLOW 3000']);
}, 60_000);

test('given a text that was submitted, when tmux does not answer, then its outcome is unknown and a look finds it', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const counted = await agentThatCounts(machine);
  const seat = machine.seat();
  const incarnation = await machine.ready(seat);
  await nextTurnAfter(machine, { seat, incarnation, ms: 2_000 });
  const server = Number(machine.tmux('display-message', '-p', '#{pid}'));

  const order = coordinator.order(seat, deliverOp(incarnation, 'SAY it once'));
  await submitted(machine, counted, 'SAY it once');
  process.kill(server, 'SIGSTOP');
  const { why } = await expectKind(coordinator.result(order.id), 'unknown').finally(() =>
    process.kill(server, 'SIGCONT'),
  );
  const look = { kind: 'look', base: null, delivery: order.seq } as const;
  const looked = await expectKind(coordinator.ordered(seat, look), 'looked');

  expect(why).toContain('its delivery broke off');
  expect(looked.delivery?.kind).toBe('taken');
  expect(machine.taken()).toEqual(['LATETURN 2000', 'SAY it once']);
}, 60_000);

test('given words in the queue of a program whose hook spoke at once, when the program dies, then a look finds them absent', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  await machine.agent();
  const seat = machine.seat();
  const incarnation = await machine.ready(seat);
  await expectKind(coordinator.ordered(seat, deliverOp(incarnation, 'SLOW 3600000')), 'delivered');
  const order = coordinator.order(seat, deliverOp(incarnation, 'SAY later', { mayQueue: true }));
  await expectKind(coordinator.result(order.id), 'queued');
  const payload = { hook_event_name: 'UserPromptSubmit', prompt: 'SAY later' };
  appendFileSync(join(machine.dir, 'data', 'hooks', `${seat.workerId}.jsonl`), `${JSON.stringify(payload)}\n`);
  const look = { kind: 'look', base: null, delivery: order.seq } as const;
  const alive = await expectKind(coordinator.ordered(seat, look), 'looked');

  process.kill(Number(incarnation.split('.').at(-1)), 'SIGKILL');
  await until('its exit', () => coordinator.bodies('exit')[0]);
  const dead = await expectKind(coordinator.ordered(seat, look), 'looked');

  expect(alive.delivery).toEqual({ kind: 'taken', by: 'screen' });
  expect(dead.delivery).toEqual({ kind: 'absent' });
}, 30_000);

/** The next prompt leaves the box at once, and its turn begins so many milliseconds later. */
async function nextTurnAfter(machine: TestMachine, { ms, ...place }: Place & { ms: number }): Promise<void> {
  await machine.turn(place, `LATETURN ${ms}`);
}

/** An agent in this process, which counts the times that Enter was pressed. */
async function agentThatCounts(machine: TestMachine): Promise<{ enters: number }> {
  const counted = { enters: 0 };
  const crashPoint = (point: string): void => {
    if (point === 'entered') counted.enters += 1;
  };
  await machine.agent({ crashPoint });
  return counted;
}

/** Enter was pressed for the second time, and the program took the text out of its box. */
async function submitted(machine: TestMachine, counted: { readonly enters: number }, words: string): Promise<void> {
  await until('Enter', () => (counted.enters === 2 ? true : undefined));
  await until('the empty box', () => (screenOf(machine).includes(words) ? undefined : true));
}

function screenOf(machine: TestMachine): string {
  return machine.tmux('capture-pane', '-p', '-t', 'drover-alba:');
}
