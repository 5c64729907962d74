/** A machine that comes back does not begin an expired command. */
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { takeCommands } from '../../src/agent/sync.ts';
import { patrol } from '../../src/due/patrol.ts';
import { contentsOf, twoMachines } from '../support/two-machines.ts';
import { Nature } from '../support/scene.ts';

const HOUR = 3_600_000;

test('given a question to a machine that is silent, when the machine is back after an hour, then it is not asked, and the question has failed', async () => {
  const nature = new Nature();
  const given = await twoMachines(nature);
  const { ctx, honest, queryId } = given;
  const before = contentsOf(given, given.liar);

  nature.now += HOUR;
  const commands = await takeCommands(ctx, honest);

  expect(commands.map(({ body }) => body.kind)).not.toContain('query');
  expect(await ctx.store.commandResult(queryId)).toMatchObject({ kind: 'failed', code: 'expired' });
  expect(contentsOf(given, given.liar)).toEqual(before);
});

test('given a question to a machine that never comes back, when the patrol comes, then the question has failed', async () => {
  const nature = new Nature();
  const { ctx, queryId } = await twoMachines(nature);

  nature.now += HOUR;
  await patrol({ ...ctx, patrolEveryMs: 60_000 }, { kind: 'patrol', key: 'main', dueAt: nature.now, payload: {} });

  expect(await ctx.store.commandResult(queryId)).toMatchObject({ kind: 'failed', code: 'expired' });
});

test('given a command that a silent machine was never sent, when it is back after an hour, then the worker gets the command that it needs now', async () => {
  const nature = new Nature();
  const given = await twoMachines(nature);
  const { ctx, honest, database } = given;
  const cora = await given.begin(honest, 'cora');
  const [stale] = [...database.outbox.values()].filter(({ workerId }) => workerId === cora.id);

  nature.now += HOUR;
  const late = await takeCommands(ctx, honest);
  const after = await ctx.store.readWorker(cora.id);
  nature.now = (after?.state.command.holdUntil ?? 0) + 1;
  await drainDueWork(ctx);
  const fresh = await takeCommands(ctx, honest);

  expect(late.map(({ id }) => id)).not.toContain(stale?.id);
  expect(after?.state).toMatchObject({ command: { inFlight: null, failures: 0 }, incident: { open: null } });
  const told = fresh.flatMap(({ body, settings }) =>
    body.kind === 'command' ? [[settings.name, body.command.kind]] : [],
  );
  expect(told).toContainEqual(['cora', 'prepare']);
});

test('given a command that a machine was sent and may have begun, when it is back after an hour, then it is sent again: its journal knows', async () => {
  const nature = new Nature();
  const given = await twoMachines(nature);
  const { ctx, honest, database } = given;
  const cora = await given.begin(honest, 'cora');
  const sent = await takeCommands(ctx, honest);
  const present = await given.hello(honest);

  nature.now += HOUR;
  const again = await takeCommands(ctx, present);

  const [row] = [...database.outbox.values()].filter(({ workerId }) => workerId === cora.id);
  expect(sent.map(({ id }) => id)).toContain(row?.id);
  expect(again.map(({ id }) => id)).toContain(row?.id);
});
