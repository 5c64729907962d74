/** Items that fail or are not wanted, and a question about a tool whose task is over, with a real database. */
import { expect, test } from 'vitest';
import { call, incarnations, newId, obedient, scene, screen, until, type Scene } from '../support/coordinator.ts';
import { addItem, delivered, NO_ACCESS, report, STAYS_AT_WORK, untilAsked, untilItem } from '../support/queue.ts';
import type { Script } from '../support/scripted-machine.ts';
import { waitFor } from '../support/wait-for.ts';

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
