/** A task from its start to the merge, over the real protocol and a real database. */
import { expect, test } from 'vitest';
import { call, incarnations, newId, replica, scene, screen, SECRET, until, workers } from '../support/coordinator.ts';
import type { Document } from '../support/openapi.ts';
import { clientOf } from '../v1/client/client.ts';
import { waitFor } from '../support/wait-for.ts';

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

test('given a request with the same id twice, when both arrive, then it is done once and answered twice', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const id = newId();

  await call(url, 'workers.add', { requestId: id, name: 'adam' });
  await call(url, 'workers.add', { requestId: id, name: 'adam' });
  await until(url, 'adam', 'idle');

  expect(await workers(url)).toHaveLength(1);
});

test('given a task for any idle worker, when the same order is asked again, then no second worker gets it', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await call(url, 'workers.add', { requestId: newId(), name: 'bea' });
  await until(url, 'adam', 'idle');
  await until(url, 'bea', 'idle');
  const requestId = newId();

  const answers = [
    await call(url, 'workers.start', { requestId, prompt: 'make it so' }),
    await call(url, 'workers.start', { requestId, prompt: 'make it so' }),
  ] as { worker: { name: string } }[];

  expect(answers[1]?.worker.name).toBe(answers[0]?.worker.name);
  expect((await workers(url)).filter(({ status }) => status === 'idle')).toHaveLength(1);
});

test('given a crash of the agent program, when it is reported, then it is started again and the task is given again', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { machine } = given;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const { id } = await until(url, 'adam', 'idle');
  const quick = machine.script;
  // The first time the agent takes the prompt and continues to work.
  machine.script = (command) =>
    quick(command).filter(
      ({ kind }) => kind !== 'screen' || command.body.kind !== 'command' || command.body.command.kind !== 'deliver',
    );
  await call(url, 'workers.start', { requestId: newId(), prompt: 'make it so' });
  await until(url, 'adam', 'working');
  await waitFor(() =>
    machine.commands.some(({ body: one }) => one.kind === 'command' && one.command.kind === 'deliver'),
  );
  machine.observe(screen(id, 'processing'));
  machine.script = quick;

  const incarnation = incarnations.get(id) ?? '';
  machine.observe({
    kind: 'exit',
    workerId: id,
    exit: { incarnation, status: null, signal: 9, lastLines: [], limit: null, at: 1 },
  });
  await until(url, 'adam', 'needs_review');

  const texts = machine.commands.flatMap(({ body: one }) =>
    one.kind === 'command' && one.command.kind === 'deliver' ? [one.command.text] : [],
  );
  expect(texts).toHaveLength(2);
  expect(texts[1]).toContain('the session was cut off');
  expect(texts[1]).toContain('make it so');
});

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
