/** A text that left the box whose turn is long in coming: is it given time, and not for ever? */
import { expect, test } from 'vitest';
import { deliverOp, expectKind, TestMachine } from './support.ts';

test('given a loaded machine, when the turn begins seconds after the text left the box, then it is delivered, once', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const place = await machine.seated();
  const { seat, incarnation } = place;
  await machine.turn(place, 'LATETURN 5000');

  await expectKind(coordinator.ordered(seat, deliverOp(incarnation, 'SAY at last')), 'delivered');

  expect(machine.taken()).toEqual(['LATETURN 5000', 'SAY at last']);
}, 30_000);

test('given a program that swallows a text, when no turn ever begins, then the text is lost and nobody waits longer', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const place = await machine.seated();
  const { seat, incarnation } = place;
  await machine.turn(place, 'LATETURN 3600000');

  const { receipt } = await expectKind(coordinator.ordered(seat, deliverOp(incarnation, 'SAY never')), 'lost');

  expect(receipt.evidence.at(-1)).toBe('the box is empty and no turn began');
  expect(machine.taken()).toEqual(['LATETURN 3600000']);
}, 40_000);
