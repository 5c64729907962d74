/** A person who accepted work asks for the end of that accept, whatever its worker does by then. */
import type { AcceptFate, WorkerView } from '@drover/api';
import { expect, test } from 'vitest';
import { call, newId, obedient, screen, until } from '../support/coordinator.ts';
import { inReview } from '../support/in-review.ts';
import { waitFor } from '../support/wait-for.ts';

test('given work that was merged, when its worker has another task by then, then the accept is told as merged, and an id of none is not found', async () => {
  await using given = await reviewed();
  const { url } = given;
  const requestId = newId();
  await call(url, 'workers.accept', { requestId, name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'the next' });

  expect(await fateOf(url, requestId)).toMatchObject({
    kind: 'ended',
    how: 'merged',
    why: 'its work was merged',
    worker: { name: 'adam', status: expect.not.stringMatching(/^idle$/u) },
  });
  const none = newId();
  await expect(fateOf(url, none)).rejects.toThrow(`There is no merge request with the id ${none}`);
});

test('given an accept that is under way, when its end is waited for, then one question is answered with it', async () => {
  await using given = await reviewed();
  const { url, machine } = given;
  const held: (() => void)[] = [];
  const isHeld = Promise.withResolvers<void>();
  machine.script = (command) => {
    if (command.body.kind !== 'command' || command.body.command.kind !== 'publish') return obedient(command);
    held.push(() => obedient(command).forEach((body) => machine.observe(body)));
    isHeld.resolve();
    return [];
  };
  const requestId = newId();
  const atFirst = await workerNow(url);
  await call(url, 'workers.accept', { requestId, name: 'adam' });
  await isHeld.promise;
  const before = await fateOf(url, requestId);

  const asked = fateOf(url, requestId, { waitMs: 25_000, after: before.kind === 'waits' ? before.after : 0 });
  for (const go of held) go();

  expect(before).toMatchObject({ kind: 'waits', worker: { heldUp: null } });
  expect(await asked).toMatchObject({ kind: 'ended', how: 'merged' });
  expect(before.worker.since).toBeGreaterThan(atFirst.since);
  // The machine carries out a person's requests before Drover's own.
  const marks = machine.commands.flatMap(({ body }) =>
    body.kind === 'command' ? [[body.command.kind, body.asked]] : [],
  );
  expect(marks).toContainEqual(['validate', undefined]);
  expect(marks).toContainEqual(['publish', true]);
});

test('given an accept that ended without a merge, when it is asked for after the work was accepted again, then each has its own end', async () => {
  await using given = await reviewed();
  const { url, machine } = given;
  const [first, second] = [newId(), newId()];
  machine.script = (command) =>
    obedient(command).map((body) =>
      body.kind === 'result' && body.result.kind === 'published'
        ? { ...body, result: { kind: 'blocked', why: 'b.txt of a person would be overwritten' } }
        : body,
    );
  await call(url, 'workers.accept', { requestId: first, name: 'adam' });
  expect(await fateOf(url, first, { waitMs: 25_000 })).toMatchObject({ kind: 'ended', how: 'stopped' });
  machine.script = obedient;
  await call(url, 'workers.accept', { requestId: second, name: 'adam' });

  expect(await fateOf(url, second, { waitMs: 25_000 })).toMatchObject({ how: 'merged' });
  expect(await fateOf(url, first)).toMatchObject({ how: 'stopped', why: expect.stringContaining('b.txt of a person') });
});

test('given work that waits for review, when its screen is seen and it is checked again, then its age still counts from the moment when it began to wait', async () => {
  await using given = await reviewed();
  const { url, machine } = given;
  const before = await workerNow(url);
  const checks = machine.commands.length;
  machine.observe(screen(before.id, 'ready'));
  machine.observe(screen(before.id, 'ready'));
  await call(url, 'workers.rebase', { requestId: newId(), name: 'adam' });
  await waitFor(() => machine.commands.length > checks + 1);
  await until(url, 'adam', 'needs_review');

  expect(await workerNow(url)).toMatchObject({ status: 'needs_review', since: before.since });
});

async function workerNow(url: string): Promise<WorkerView> {
  const [worker] = (await call(url, 'workers.list')) as [WorkerView];
  return worker;
}

function fateOf(url: string, id: string, how: { waitMs?: number; after?: number } = {}): Promise<AcceptFate> {
  return call(url, 'workers.awaitAccept', { requestId: id, heldUp: null, waitMs: 0, ...how }) as Promise<AcceptFate>;
}

async function reviewed() {
  const given = await inReview('adam');
  await call(given.url, 'workers.review', { name: 'adam' });
  return given;
}
