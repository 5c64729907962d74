/** Checks that the end of a turn is refused while a run's task has no result, and that the result is read. With the real hook and command. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';
import { deliverCommand } from '../support/deliver-command.ts';
import { until } from '../support/until.ts';

const DROVER = fileURLToPath(new URL('../../../../bin/drover.mjs', import.meta.url));
const HOOK = { hookCommand: [process.execPath, DROVER, 'hook'] };
const OWED = { runId: '00000000-0000-7000-8000-0000000007c1', item: 'build', attempt: 2, returns: 'commit' } as const;

/** Plays one turn of a run's task, and reads its result once the turn has ended. */
async function played(script: string): Promise<{ result: unknown; refused: number }> {
  await using machine = await TestMachine.start();
  machine.simArgs = [];
  const { coordinator } = machine;
  await machine.agent(HOOK);
  const settings = machine.worker('alba', { skipPermissions: true });
  const incarnation = await machine.ready(settings);
  const text = `${script}\nWRITE done.txt done`;
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, text, { owed: OWED })), 'delivered');
  await until('the end of the turn', () => machine.witnessed().find(({ event }) => event === 'turn-ended'));

  const command = { kind: 'observe', base: null, delivery: null, owed: OWED } as const;
  const { result } = await expectKind(coordinator.carriedOut(settings, command), 'observed');
  return { result, refused: machine.witnessed().filter(({ event }) => event === 'stop-refused').length };
}

test('given an agent that forgot its result, when its turn ends, then its hook refuses that once, and the result is read', async () => {
  const { result, refused } = await played('SAY I am done');

  expect(refused).toBe(1);
  expect(result).toMatchObject({ kind: 'given', attempt: 2, result: { verdict: 'done' } });
});

test('given an agent that never gives a result, when its turn ends, then that is refused twice and no more', async () => {
  const { result, refused } = await played('KEEPRESULT 9');

  expect(refused).toBe(2);
  expect(result).toEqual({ kind: 'none' });
});

test('given an agent that calls "drover result" in its pane, when its turn ends, then nothing is refused, and that result is read', async () => {
  const { result, refused } = await played('RUN drover result --verdict done --summary "Added the flag"');

  expect(refused).toBe(0);
  expect(result).toMatchObject({ kind: 'given', result: { verdict: 'done', summary: 'Added the flag' } });
});
