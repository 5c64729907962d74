/** Workers take items from the work queue, with real replicas on a real database. */
import { expect, test } from 'vitest';
import type { QueueItemView } from '@drover/api';
import { adviseOnToolFailure } from '@drover/core';
import { reportOf } from '@drover/core/tool-failures';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import {
  call,
  incarnations,
  obedient,
  newId,
  replica,
  scene,
  screen,
  until,
  workers,
  type Scene,
} from '../support/coordinator.ts';
import type { Script } from '../support/scripted-machine.ts';
import { waitFor } from '../support/wait-for.ts';
import { until as poll } from '../../../../tools/fleet/wait.ts';

async function items(url: string): Promise<readonly QueueItemView[]> {
  return (await call(url, 'queue.list', { all: true, limit: 100 })) as readonly QueueItemView[];
}

async function addItem(url: string, priority: string, prompt: string): Promise<QueueItemView> {
  return (await call(url, 'queue.add', { requestId: newId(), priority, prompt })) as QueueItemView;
}

async function untilItem(url: string, title: string, is: (item: QueueItemView) => boolean): Promise<QueueItemView> {
  let item: QueueItemView | undefined;
  return poll(
    () => `"${title}"; it is ${JSON.stringify(item)}`,
    async () => {
      item = (await items(url)).find((one) => one.title === title);
      return item !== undefined && is(item) ? item : undefined;
    },
  );
}

/** Takes its prompt and continues to work. */
const STAYS_AT_WORK: Script = (command) => {
  const { body: one } = command;
  const isDelivery = one.kind === 'command' && one.command.kind === 'deliver';
  return obedient(command).filter(({ kind }) => !isDelivery || kind !== 'screen');
};

/** Lists prompts that reached agents, in the order of their delivery. */
function delivered({ machine }: Scene): readonly string[] {
  return machine.commands.flatMap(({ body: one }) =>
    one.kind === 'command' && one.command.kind === 'deliver' ? [one.command.text.split('\n').at(-1) ?? ''] : [],
  );
}

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

test('given an item whose task fails twice, when it is open again, then a person must say what now', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { machine } = given;
  machine.script = (command) => nothingCommitted(STAYS_AT_WORK(command));
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');

  await addItem(url, 'S1', 'hopeless');
  for (const failures of [1, 2]) {
    await untilItem(url, 'hopeless', ({ status }) => status === 'taken');
    await waitFor(() => delivered(given).length === failures);
    endedByItsUser(given, id);
    await untilItem(url, 'hopeless', (item) => item.failures === failures);
  }
  const waiting = await untilItem(url, 'hopeless', ({ status }) => status === 'open');
  await until(url, 'adam', 'idle');
  const asked = await untilAsked(url, 1);
  await call(url, 'queue.retry', { id: waiting.id.slice(-8) });
  const again = await untilItem(url, 'hopeless', ({ status }) => status === 'taken');

  expect(waiting.waitsFor).toBe('person');
  expect(asked).toMatchObject([{ worker: 'adam', title: 'Work item failed 2 times: hopeless' }]);
  expect(again.failures).toBe(0);
});

test('given an item that is not wanted, when it is dropped, then it is not taken, and dropping it again is refused', async () => {
  await using given = await scene({ queue: { take: true, itemsMax: 1 } });
  const { url } = given.coordinator;
  const { id } = await addItem(url, 'S1', 'unwanted');

  await expect(addItem(url, 'S1', 'one too many')).rejects.toThrow(/queue-full/);
  await call(url, 'queue.drop', { id });
  await expect(call(url, 'queue.drop', { id })).rejects.toThrow(/over/);
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await addItem(url, 'S1', 'wanted');
  await until(url, 'adam', 'needs_review');

  expect(delivered(given)).toEqual(['wanted']);
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

test('given a question about a tool, when its task is merged without an answer, then the question is closed', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { machine } = given;
  machine.script = STAYS_AT_WORK;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'make it so' });
  await waitFor(() => delivered(given).length === 1);
  const incarnation = incarnations.get(id) ?? '';
  machine.observe({ kind: 'tool-failed', workerId: id, incarnation, report: report(NO_ACCESS) });
  const asked = await untilAsked(url, 1);

  machine.script = obedient;
  machine.observe(screen(id, 'ready'));
  await until(url, 'adam', 'needs_review');
  const during = await untilAsked(url, 1);
  await call(url, 'workers.review', { name: 'adam' });
  await call(url, 'workers.accept', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');

  expect(asked).toMatchObject([{ status: 'open' }]);
  expect(during).toMatchObject([{ status: 'open' }]);
  expect(await untilAsked(url, 1)).toMatchObject([{ status: 'expired' }]);
});

const NO_ACCESS = "Error: EACCES: permission denied, open '/etc/hosts'";

function report(text: string): ToolFailureReport {
  const failure = { tool: 'Bash', command: 'npm run build', text, exitCode: 1, phase: null };
  const inputs = { history: { retries: 0, sameInTask: 0 }, now: 1_000, random: 0, zone: { offsetMinutes: 0 } };
  const made = reportOf(failure, adviseOnToolFailure(failure, inputs), {
    at: 1_000,
    conversation: 'c',
    operation: 'o',
  });
  if (made === null) throw new Error('There is nothing to report');
  return made;
}

function nothingCommitted(bodies: ReturnType<Script>): ReturnType<Script> {
  return bodies.map((body) => {
    if (body.kind !== 'result' || body.result.kind !== 'observed' || body.result.git === null) return body;
    return { ...body, result: { ...body.result, git: { ...body.result.git, ahead: 0, head: 'aaaaaaa' } } };
  });
}

function endedByItsUser({ machine }: Scene, workerId: string): void {
  const incarnation = incarnations.get(workerId) ?? '';
  machine.observe(screen(workerId, 'processing'));
  const exit = { incarnation, status: 0, signal: null, lastLines: [], limit: null, at: 1 };
  machine.observe({ kind: 'exit', workerId, exit });
}

interface Asked {
  readonly id: string;
  readonly worker: string;
  readonly occurrences: number;
}

async function untilAsked(url: string, occurrences: number): Promise<readonly Asked[]> {
  let asked: readonly Asked[] = [];
  await waitFor(async () => {
    asked = (await call(url, 'escalations.list', { all: true, limit: 100 })) as readonly Asked[];
    return asked.some((one) => one.occurrences === occurrences);
  });
  return asked;
}
