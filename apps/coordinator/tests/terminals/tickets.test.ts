/** Waiting tickets of terminals are counted, also when many are requested at once. */
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { createTerminalFleet, WAITING_MAX } from '../../src/use-cases/terminals/fleet.ts';
import { person } from '../support/actors.ts';
import { twoMachines } from '../support/two-machines.ts';

test('given a token that asks for many terminals at once, when they are given out, then no more than the limit wait', async () => {
  const { ctx, bea } = await twoMachines();
  const fleet = createTerminalFleet(ctx, { commands: new Waiters(), relaysTerminals: true });
  const by = person('ann', { role: 'admin' });

  const asked = Array.from({ length: 2 * WAITING_MAX }, () => fleet.openTerminal({ name: bea.name, types: false }, by));
  const outcomes = await Promise.all(asked);

  expect(outcomes.filter(({ kind }) => kind === 'ok')).toHaveLength(WAITING_MAX);
});
