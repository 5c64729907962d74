/** Checks the rarer hours of a connection: other addresses, other versions, tokens that are over, a directory that cannot be used. */
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { TestMachine } from './support/machine.ts';
import { until } from './support/until.ts';

test('given two coordinators of which one is gone, when the agent starts, then it finds the other', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;

  await machine.agent({ coordinatorUrl: `http://127.0.0.1:1,${coordinator.url}` });

  await until('a hello', () => coordinator.hellos === 1);
});

test('given a newer coordinator, when it names settings that this agent cannot read, then that is told once and the rest is as ever', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const settings = machine.worker();
  coordinator.workers = [settings, { ...settings, name: 'bruno', sessionWidth: 'wide' }, null];
  coordinator.tokenMs = 1_500;

  await machine.agent();
  await until('two hellos', () => coordinator.hellos >= 2);
  const observed = await coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null });

  expect(observed.kind).toBe('observed');
  expect(machine.logs.filter((line) => line.startsWith('warn'))).toEqual([
    expect.stringMatching(
      /the settings of the worker "bruno" \("sessionWidth": .*\): it and the coordinator do not match/u,
    ),
    expect.stringContaining('the settings of the worker "?"'),
  ]);
});

test('given a machine that polls, when every answer has a command without an id, then it does not ask without a pause', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  coordinator.command(machine.worker(), { kind: 'wish' } as never, { id: 'nameless' });
  await machine.agent({ transport: 'poll', profiles: {} });
  await until('a poll', () => coordinator.polls > 0);
  const { polls } = coordinator;
  const startedAt = performance.now();

  await until('four more polls', () => coordinator.polls >= polls + 4);

  // Four pauses of 500 ms, of which the first may be under way and news may end one; without them it is a matter of milliseconds.
  expect(performance.now() - startedAt).toBeGreaterThan(500);
});

test('given a machine without a token, when it starts, then the log says how it joins', async () => {
  await using machine = await TestMachine.start();

  await machine.agent({ joinToken: undefined });

  await until('words', () => machine.logs.some((line) => line.includes('drover machine invite')));
});

test('given a coordinator of another version, when the agent says hello, then the log says so and it goes on trying', async () => {
  await using machine = await TestMachine.start();
  machine.coordinator.broken.version = true;

  await machine.agent({ random: () => 0 });
  await until('words', () => machine.logs.some((line) => line.includes('Update the older')));
  machine.coordinator.broken.version = false;

  await until('a hello', () => machine.coordinator.hellos === 1);
});

test('given a directory that cannot be used, when an agent starts on it, then it says why', async () => {
  await using machine = await TestMachine.start();

  const agent = machine.agent({ dataDir: `${machine.source}/a.txt`, clock: systemClock });

  await expect(agent).rejects.toThrow(/Cannot use ".*": .*Check that its directory can be written/u);
});

test('given an access token that is soon over, when its time comes, then the machine says hello anew and nothing is missed', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  coordinator.tokenMs = 1_500;
  await machine.agent();
  const settings = machine.worker();

  await until('three hellos', () => coordinator.hellos >= 3);
  const observed = await coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null });

  expect(observed.kind).toBe('observed');
  expect(machine.logs.filter((line) => line.startsWith('warn'))).toEqual([]);
});
