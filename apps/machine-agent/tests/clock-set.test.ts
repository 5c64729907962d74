/** The clock of the machine is set forwards while the turn of a text is awaited: is the text taken for absent, and lost? */
import { once } from 'node:events';
import { systemClock } from '@drover/host';
import { expect, test } from 'vitest';
import type { Clock } from '../src/index.ts';
import { deliverOp, expectKind, TestMachine } from './support.ts';

const HOUR_MS = 3_600_000;

test('given a text whose turn is late, when the clock is set an hour forwards after Enter, then it is delivered, once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  let enters = 0;
  let jumpsAt = Number.POSITIVE_INFINITY;
  const aheadMs = (): number => (systemClock.elapsed() < jumpsAt ? 0 : HOUR_MS);
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs() };
  const crashPoint = (point: string): void => {
    if (point === 'entered') enters += 1;
    // The second text is the one that matters; it is watched for a second before the clock is set.
    if (point === 'entered' && enters === 2) jumpsAt = systemClock.elapsed() + 1_000;
  };
  await machine.agent({ clock, crashPoint });
  const seat = machine.seat();
  const incarnation = await machine.ready(seat);
  await machine.turn({ seat, incarnation }, 'LATETURN 3000');

  await expectKind(coordinator.ordered(seat, deliverOp(incarnation, 'SAY at last')), 'delivered');

  expect(machine.taken()).toEqual(['LATETURN 3000', 'SAY at last']);
}, 40_000);

test('given a text whose turn is late, when the agent dies after Enter and the clock is set forwards, then a look waits for that turn', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const seat = machine.seat();
  const first = machine.agentProcess();
  const incarnation = await machine.ready(seat);
  await machine.turn({ seat, incarnation }, 'LATETURN 8000');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const dying = machine.agentProcess('entered');

  const order = coordinator.order(seat, deliverOp(incarnation, 'SAY late words'));
  await once(dying, 'exit');
  await machine.agent({ clock: { ...systemClock, now: () => systemClock.now() + HOUR_MS } });
  await expectKind(coordinator.result(order.id), 'unknown');
  const look = { kind: 'look', base: null, delivery: order.seq } as const;
  const looked = await expectKind(coordinator.ordered(seat, look), 'looked');

  expect(looked.delivery?.kind).toBe('taken');
  expect(machine.taken()).toEqual(['LATETURN 8000', 'SAY late words']);
}, 40_000);
