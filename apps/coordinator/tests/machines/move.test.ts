/** A worker moves to another machine: commands to each machine, and steps that fail or come twice. */
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { EVERYTHING, readRoster, viewOf } from '../../src/facts/workers/find.ts';
import { whyView } from '../../src/facts/workers/views.ts';
import { diligent, moving } from '../support/moving.ts';
import { incarnationOf } from '../support/two-machines.ts';

test('given a worker at its task, when it moves, then each machine is told its part, the row changes hands once, and nothing is held against anybody', async () => {
  const given = await moving();
  const { honest, liar } = given.two;

  await given.play(() => given.told.includes('honest leave-place'));

  const own = given.told.filter((one) => !/look|checkpoint|read-screen/u.test(one));
  expect(own.slice(0, 12)).toEqual([
    'honest deliver',
    'honest close',
    'honest freeze',
    'liar expect',
    'liar tips',
    'honest pack',
    'liar unpack',
    'honest pack-conversation',
    'liar place-conversation',
    'liar restore',
    'liar let-in',
    'liar open',
  ]);
  expect(given.row.machineId).toBe(liar.id);
  expect(given.row.state.move).toEqual({ kind: 'none' });
  const changes = [...given.two.database.events.values()].flatMap(({ records }) =>
    records.filter(({ kind }) => kind === 'machine-changed'),
  );
  expect(changes).toEqual([{ kind: 'machine-changed', from: honest.id, to: liar.id, checkpoint: given.move }]);
  expect(given.two.database.checkpoints.get(given.move)?.machineId).toBe(liar.id);
  expect([given.two.logged, given.two.counted]).toEqual([[], []]);
});

test('given a worker that a person moves, when it is asked for why it is where it is, then that person is named, on the way and there', async () => {
  const given = await moving();
  const { ctx, liar } = given.two;
  const about = async (): Promise<readonly string[]> => {
    const view = viewOf(await readRoster(ctx, EVERYTHING), given.row);
    return whyView(given.row, { view, history: [], receipts: [], escalation: null, pays: null, now: 0 }).about;
  };
  await given.play(() => given.told.includes('honest freeze'));
  const onTheWay = await about();

  await given.play(() => given.told.includes('honest leave-place'));

  expect(onTheWay).toContain('It moves to "liar" at the request of person mia');
  expect(given.row.machineId).toBe(liar.id);
  expect(await about()).toContain('It is on "liar": it was moved there from "honest" at the request of person mia');
});

test('given a machine that does not answer, when other replicas go on, then each step is one command', async () => {
  const given = await moving();
  given.answers = (query, machine) => (query.kind === 'unpack' ? null : diligent(query, machine));

  await given.play(() => given.told.includes('honest pack'));
  for (let times = 0; times < 5; times += 1) {
    given.nature.now += 2_500;
    await drainDueWork(given.two.ctx);
  }

  const open = [...given.two.database.outbox.values()].filter(
    ({ body, workerId }) => body.kind === 'query' && workerId === given.worker.id,
  );
  expect(open.map(({ body }) => (body.kind === 'query' ? body.query.kind : ''))).toEqual(['unpack']);
  expect(given.row.state.move.kind).toBe('carrying');
});

test('given a target whose disk is full, when the work cannot be taken there, then the worker goes on where it was', async () => {
  const given = await moving();
  const words = 'The disk is full';
  given.answers = (query, machine) =>
    query.kind === 'unpack' ? { kind: 'failed', code: 'disk-full', message: words } : diligent(query, machine);

  await given.play(() => given.row.state.session.pane.kind === 'up' && given.told.includes('honest let-in'));

  expect(given.row.machineId).toBe(given.two.honest.id);
  expect(given.row.state.move.kind).toBe('none');
  expect(given.row.state.lifecycle.status).toBe('working');
  expect(given.told).not.toContain('liar restore');
});

test('given a program that keeps no conversation, when the worker moves, then its agent begins a new one, and the history says why', async () => {
  const given = await moving();
  const words = 'a conversation of "codex" cannot be taken along';
  given.answers = (query, machine) =>
    query.kind === 'pack-conversation'
      ? { kind: 'failed', code: 'no-conversation', message: words }
      : diligent(query, machine);

  await given.play(() => given.told.includes('liar open'));

  const notices = [...given.two.database.events.values()].flatMap(({ records }) =>
    records.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : [])),
  );
  expect(notices).toContain(`its agent begins a new conversation: ${words}`);
  expect(given.row.machineId).toBe(given.two.liar.id);
});

test('given a worker that has moved, when its former machine says that it is frozen, ended or gone, then nothing follows', async () => {
  const given = await moving();
  await given.play(() => given.told.includes('liar open'));
  const { version } = given.row;
  const { honest } = given.two;
  const exit = { incarnation: incarnationOf(given.worker), status: 1, signal: null, lastLines: [], limit: null, at: 1 };

  await given.two.say(honest, { kind: 'exit', workerId: given.worker.id, exit });
  await given.two.say(honest, { kind: 'panes', panes: [] });

  expect(given.row.version).toBe(version);
  expect(given.two.counted).toEqual(['foreign-worker']);
});

test('given a move that is given up after its agent was started, when the other machine says that no agent is there, then the worker comes back', async () => {
  const given = await moving();
  await given.play(() => given.row.state.move.kind === 'arriving' && given.told.includes('liar let-in'));

  await given.hear({ kind: 'move-cancel-requested' });
  const before = given.row.machineId;
  await given.play(() => given.row.state.move.kind === 'none' && given.told.includes('liar leave-place'));

  expect(before).toBe(given.two.liar.id);
  expect(given.row.machineId).toBe(given.two.honest.id);
  expect(given.row.options.chosen?.machine).toEqual({
    id: given.two.honest.id,
    why: 'its move to "liar" at the request of person mia was abandoned, and it returned, because a person cancelled the move',
  });
  expect(given.told.indexOf('liar freeze')).toBeLessThan(given.told.indexOf('honest let-in'));
  expect(given.two.counted).toEqual([]);
});
