/** Checks that a text that left the box gets time for its turn, but not for ever. */
import { type LocalClock, systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';

test.concurrent('given a loaded machine, when the turn begins seconds after the text left the box, then it is delivered, once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const place = await machine.openWorker();
  const { settings, incarnation } = place;
  await machine.turn(place, 'LATETURN 5000');

  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY at last')), 'delivered');

  expect(machine.taken()).toEqual(['LATETURN 5000', 'SAY at last']);
});

test.concurrent('given a text whose turn is late, when the clock is set an hour forwards after Enter, then it is delivered, once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  let enters = 0;
  let jumpsAt = Number.POSITIVE_INFINITY;
  const aheadMs = (): number => (systemClock.elapsed() < jumpsAt ? 0 : 3_600_000);
  const clock: LocalClock = { ...systemClock, now: () => systemClock.now() + aheadMs() };
  const crashPoint = (point: string): void => {
    if (point === 'entered') enters += 1;
    // The second text is the one that matters; it is watched for a second before the clock is set.
    if (point === 'entered' && enters === 2) jumpsAt = systemClock.elapsed() + 1_000;
  };
  await machine.agent({ clock, crashPoint });
  const settings = machine.worker();
  const incarnation = await machine.ready(settings);
  await machine.turn({ settings, incarnation }, 'LATETURN 3000');

  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY at last')), 'delivered');

  expect(machine.taken()).toEqual(['LATETURN 3000', 'SAY at last']);
});

test.concurrent('given a program that swallows a text, when no turn ever begins, then the text is lost and nobody waits longer', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const place = await machine.openWorker();
  const { settings, incarnation } = place;
  await machine.turn(place, 'LATETURN 3600000');

  const { receipt } = await expectKind(
    coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY never')),
    'lost',
  );

  expect(receipt.evidence.at(-1)).toBe('the box is empty and no turn began');
  expect(machine.taken()).toEqual(['LATETURN 3600000']);
});
