/** Exchanges between a machine and the coordinator, over a WebSocket and by long poll: nothing is lost, and nothing happens twice. */
import { expect, test } from 'vitest';
import { call, newId, scene, screen, until } from '../support/coordinator.ts';
import type { ScriptedMachine } from '../support/scripted-machine.ts';
import { waitFor } from '../support/wait-for.ts';

test('given observations that were stored, when they are sent again, then nothing happens twice', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const before = given.machine.commands.length;

  given.machine.send(given.machine.observations);
  await waitFor(() => given.machine.storedThrough >= given.machine.observations.length);
  await call(url, 'info');

  expect(given.machine.commands).toHaveLength(before);
});

test('given a newer agent, when it says what this coordinator cannot read, then that is acknowledged and told once, and the rest is taken', async () => {
  const said: string[] = [];
  const log = (level: string, message: string): void => void (level === 'warn' && said.push(message));
  await using given = await scene({ log });
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const { id: workerId } = await until(url, 'adam', 'idle');
  const newer = [
    { kind: 'weather', workerId, sky: 'clear' },
    { kind: 'screen', workerId, incarnation: 'x', reading: { state: { kind: 'of-the-future' } } },
    { kind: 'weather', workerId, sky: 'grey' },
  ];

  for (const body of newer) given.machine.observe(body as never);
  given.machine.observe({ kind: 'panes', panes: [] });
  // The list of panes arrived: the lost session is opened again.
  await waitFor(() => opened(given.machine).size > 1);
  await waitFor(() => given.machine.storedThrough >= given.machine.observations.length);

  expect(said.filter((words) => words.includes('cannot read'))).toEqual([
    expect.stringContaining('(weather)'),
    expect.stringContaining('(screen)'),
  ]);
  expect(given.machine.closed).toBe(null);
});

function opened({ commands }: ScriptedMachine): ReadonlySet<string> {
  return new Set(
    commands.flatMap(({ id, body: one }) => (one.kind === 'command' && one.command.kind === 'open' ? [id] : [])),
  );
}

test('given a machine that polls, when an answer with a command was lost, then the next poll has it again', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await given.machine.hello();
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });

  const lost = await given.machine.poll(10);
  const next = await given.machine.poll(10);

  expect(lost.commands).toHaveLength(1);
  expect(next.commands).toEqual(lost.commands);
});

test('given a machine that was sent a command, when it comes back with another journal, then it is not sent again: its outcome is unknown', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  given.machine.cut();
  await given.machine.hello();
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const [sent] = (await given.machine.poll(10)).commands;

  given.machine.agentEpoch = newId();
  await given.machine.hello();
  const { commands } = await given.machine.poll(1);

  expect(sent).toBeDefined();
  expect(commands.map(({ id }) => id)).not.toContain(sent?.id);
  const history = await call(url, 'events', { name: 'adam', waitMs: 0, limit: 10 });
  expect(JSON.stringify(history)).toContain('command 1 ended: unknown');
});

test('given a machine that polls, when a command is there, then the poll answers with it', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  given.machine.cut();
  await given.machine.hello();

  const polling = given.machine.poll(10);
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const answer = await polling;

  expect(answer.commands.map(({ body: one }) => (one.kind === 'command' ? one.command.kind : one.kind))).toEqual([
    'prepare',
  ]);
});

test('given a newer hello, when the older connection still reports, then that is refused at once, and stored in the new one', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');
  await waitFor(() => given.machine.storedThrough >= given.machine.observations.length);
  const before = given.machine.storedThrough;

  await given.machine.hello();
  given.machine.observe(screen(id, 'ready'));
  await waitFor(() => given.machine.closed !== null);

  expect(given.machine.closed?.code).toBe(4001);
  expect(given.machine.storedThrough).toBe(before);
  await given.machine.connect();
  await waitFor(() => given.machine.storedThrough > before);
});
