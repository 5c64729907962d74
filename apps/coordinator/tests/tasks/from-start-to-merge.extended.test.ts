/** Orders that come twice, and a crash of the agent, over the real protocol and a real database. */
import { expect, test } from 'vitest';
import { call, incarnations, newId, scene, screen, until, workers } from '../support/coordinator.ts';
import { waitFor } from '../support/wait-for.ts';

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
