/** A task from its start to the merge, over the real protocol and a real database. */
import { expect, test } from 'vitest';
import { call, newId, replica, scene, SECRET, until } from '../support/coordinator.ts';
import type { Document } from '../support/openapi.ts';
import { clientOf } from '../v1/client/client.ts';

test('given a connected machine, when a worker is added and given a task, then it comes to review and is merged', async () => {
  await using given = await scene();
  const { url } = given.coordinator;

  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');
  const review = (await call(url, 'workers.review', {})) as { diff: string };
  const seen = await reviewByV1(url);
  await call(url, 'workers.accept', { requestId: newId() });
  await until(url, 'adam', 'idle');

  expect(review.diff).toBe('+work');
  expect(seen).toEqual([200, '+work', 200]);
  const delivered = given.machine.commands.filter(
    ({ body: one }) => one.kind === 'command' && one.command.kind === 'deliver',
  );
  expect(delivered).toHaveLength(1);
});

/** Checks answers of the public API that need a machine: as its document promises, or its client fails. */
async function reviewByV1(url: string) {
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as Document;
  const api = clientOf(document, async (request) => {
    const { pathname } = new URL(request.url);
    return fetch(url + pathname, { method: request.method, headers, body: await request.text() });
  });
  const path = { name: 'adam' };
  const shown = await api.POST('/v1/workers/{name}/review', { params: { path }, body: {} });
  const kept = await api.POST('/v1/checkpoints', { body: { worker: 'adam' } });
  return [shown.response.status, shown.data?.diff, kept.response.status];
}

test('given two replicas, when the machine moves to the other in the middle, then the task goes on', async () => {
  await using given = await scene();
  await using other = await replica(given.databaseUrl, { token: null });
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');

  given.machine.cut();
  await call(url, 'workers.start', { requestId: newId(), prompt: 'make it so' });
  await given.machine.hello();
  await given.machine.connect(other.url);
  await until(other.url, 'adam', 'needs_review');

  const delivered = given.machine.commands.filter(
    ({ body: one }) => one.kind === 'command' && one.command.kind === 'deliver',
  );
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(1);
});
