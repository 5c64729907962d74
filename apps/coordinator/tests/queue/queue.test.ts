/** Workers take items from the work queue, with real replicas on a real database. */
import { expect, test } from 'vitest';
import { call, incarnations, newId, obedient, replica, scene, screen, until, workers } from '../support/coordinator.ts';
import {
  addItem,
  delivered,
  items,
  NO_ACCESS,
  report,
  STAYS_AT_WORK,
  untilAsked,
  untilItem,
} from '../support/queue.ts';
import { waitFor } from '../support/wait-for.ts';

test('given items of several priorities, when a worker is idle, then it takes the most urgent first, and each follows its task', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await addItem(url, 'S2', 'later');
  await addItem(url, 'S0', 'now');

  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'needs_review');
  const taken = await untilItem(url, 'now', ({ status }) => status === 'taken');
  await call(url, 'workers.review', { name: 'adam' });
  await call(url, 'workers.accept', { requestId: newId(), name: 'adam' });
  await untilItem(url, 'now', ({ status }) => status === 'done');
  await untilItem(url, 'later', ({ status }) => status === 'taken');
  await waitFor(() => delivered(given).length === 2);

  expect(taken.worker).toBe('adam');
  expect(delivered(given)).toEqual(['now', 'later']);
});

test('given two replicas, when many workers and items meet, then no item has two workers and no worker two items', async () => {
  await using given = await scene();
  await using other = await replica(given.databaseUrl, { token: null });
  const { url } = given.coordinator;
  given.machine.script = STAYS_AT_WORK;
  const names = ['adam', 'bea', 'carl', 'dora', 'emil', 'fay'];

  await Promise.all([
    ...names.map((name) => call(url, 'workers.add', { requestId: newId(), name })),
    ...Array.from({ length: 9 }, (_, at) => addItem(at % 2 === 0 ? url : other.url, 'S2', `item ${at}`)),
  ]);
  for (const name of names) await until(url, name, 'working');

  const all = await items(url);
  const taken = all.filter(({ status }) => status === 'taken');
  expect(taken.map(({ worker }) => worker).toSorted()).toEqual(names);
  expect(new Set(taken.map(({ task }) => task)).size).toBe(names.length);
  expect(all.filter(({ status }) => status === 'open')).toHaveLength(3);
});

test('given a tool that fails, when its agent gets to the end all the same, then what was filed for it is done, and its errors are over', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { machine } = given;
  machine.script = STAYS_AT_WORK;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await call(url, 'workers.add', { requestId: newId(), name: 'bea' });
  const { id } = await until(url, 'adam', 'idle');
  await until(url, 'bea', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'make it so' });
  await waitFor(() => delivered(given).length === 1);

  const incarnation = incarnations.get(id) ?? '';
  for (const text of [
    'src/a.ts(3,7): error TS1005: expected',
    'src/a.ts(3,7): error TS1005: expected',
    NO_ACCESS,
    NO_ACCESS,
  ])
    machine.observe({ kind: 'tool-failed', workerId: id, incarnation, report: report(text) });
  const title = 'Fix the syntax error in src/a.ts:3';
  const filed = await untilItem(url, title, ({ occurrences }) => occurrences === 2);
  const asked = await untilAsked(url, 2);
  const errors = (await call(url, 'errors', { all: true, limit: 100 })) as { code: string }[];
  const answer = { requestId: newId(), id: asked[0]?.id ?? '', option: 'tool-try-again' };
  await call(url, 'escalations.resolve', answer);
  await waitFor(() => delivered(given).some((text) => text.includes('Try it again now')));
  machine.script = obedient;
  machine.observe(screen(id, 'ready'));
  await until(url, 'adam', 'needs_review');
  const done = await untilItem(url, title, ({ status }) => status === 'done');
  const after = (await call(url, 'errors', { all: true, limit: 100 })) as { recovered: boolean }[];

  expect(filed).toMatchObject({ priority: 'S0', status: 'open', waitsFor: 'source', foundBy: 'adam' });
  expect(asked).toMatchObject([{ worker: 'adam', occurrences: 2 }]);
  expect(errors.map(({ code }) => code).toSorted()).toEqual([
    'PERMISSION_DENIED',
    'PERMISSION_DENIED',
    'TOOL_FAILED',
    'TOOL_FAILED',
  ]);
  expect(after.map(({ recovered }) => recovered)).toEqual([true, true, true, true]);
  expect(done.worker).toBeNull();
  expect((await workers(url)).find(({ name }) => name === 'bea')?.status).toBe('idle');
});
