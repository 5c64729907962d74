/** Tests the messages of `drover accept` about merged work, and the number of its polls. */
import type { AcceptFate } from '@drover/api';
import { expect, test } from 'vitest';
import type { Surroundings } from '../../surroundings.ts';
import { workerSeen } from '@drover/api/testing';
import { command } from './accept.ts';

/** Runs `drover accept adam`; the coordinator answers these, one after the other. */
async function accepting(...fates: readonly AcceptFate[]) {
  return acceptingWhile(() => {}, ...fates);
}

/** Runs the command while something happens during the wait. */
async function acceptingWhile(happens: () => void, ...fates: readonly AcceptFate[]) {
  const said: string[] = [];
  const asked: string[] = [];
  const inputs: unknown[] = [];
  const left = [...fates];
  const surroundings = {
    environment: { url: 'https://localhost:1', token: 't' },
    paths: null,
    worker: null,
    terminal: { out: (line: string) => said.push(line), err: (line: string) => said.push(line), json: false },
    now: () => 0,
    sleep: async () => {},
    uuid: () => '00000000-0000-7000-8000-000000000000',
    http: async (url: string) => {
      const path = new URL(url).pathname.split('/').at(-1) ?? '';
      asked.push(path);
      if (path === 'workers.awaitAccept') {
        inputs.push(JSON.parse(new URL(url).searchParams.get('input') ?? '{}'));
        happens();
      }
      const data = path === 'workers.accept' ? { worker: workerSeen({ accepting: 'waiting' }) } : left.shift();
      return { status: 200, ok: true, json: async () => ({ result: { data } }) };
    },
  } as unknown as Surroundings;
  const failed = await command.start(surroundings, { args: [['adam']], options: { wait: true } }).then(
    () => null,
    (error: unknown) => error,
  );
  return { said, asked, inputs, failed };
}

test('given work that is merged and a worker that has taken its next task, when the end is told, then it is merged, by one question', async () => {
  const worker = workerSeen({ status: 'working', note: 'starting a task' });

  const { said, asked, failed } = await accepting({ kind: 'ended', how: 'merged', why: 'its work was merged', worker });

  expect(failed).toBeNull();
  expect(said).toEqual(['adam: its work was merged']);
  expect(asked).toEqual(['workers.accept', 'workers.awaitAccept']);
});

test('given a merge that takes long, when the coordinator answers that it still waits, then it is asked again from there', async () => {
  const worker = workerSeen({ accepting: 'checking' });
  const end = { kind: 'ended', how: 'offered', why: 'published as branch "b"', worker } as const;

  const { said, asked, inputs, failed } = await accepting({ kind: 'waits', after: 7, worker }, end);

  expect(failed).toBeNull();
  expect(said).toEqual(['adam: published as branch "b"']);
  expect(asked).toHaveLength(3);
  expect(inputs).toMatchObject([{ waitMs: 10_000 }, { waitMs: 10_000, after: 7 }]);
});

test('given work that is not merged, when the end is told, then the command is refused with why and what to do, whatever its worker does by now', async () => {
  const waiting = workerSeen({ status: 'needs_review' });
  const busy = workerSeen({ status: 'working', note: 'starting a task' });
  const why = 'not merged: files of a person would be overwritten';

  const first = await accepting({ kind: 'ended', how: 'stopped', why, worker: waiting });
  const second = await accepting({ kind: 'ended', how: 'stopped', why, worker: busy });

  expect(first.failed).toMatchObject({
    code: 'refused',
    message: `adam: ${why}; correct that, then run "drover accept adam" again`,
  });
  expect(second.failed).toMatchObject({ code: 'refused', message: `adam: ${why}` });
});

test('given a default branch that is broken, when accepted work waits for it, then the command ends and says so', async () => {
  const worker = workerSeen({ accepting: 'waiting', brokenBase: 'b'.repeat(40), note: 'the default branch fails' });

  const { failed } = await accepting({ kind: 'waits', after: 7, worker });

  expect(failed).toMatchObject({ code: 'refused', message: 'adam: the default branch fails' });
});

test('given a merge that is waited for, when a person presses Ctrl-C, then the command says that the merge goes on', async () => {
  let heard = 0;
  const ended = Promise.withResolvers<void>();
  // The command ends its process by the signal, which comes here instead.
  const onSignal = (): void => void ((heard += 1) === 2 && ended.resolve());
  process.on('SIGINT', onSignal);
  const end = { kind: 'ended', how: 'merged', why: 'its work was merged', worker: workerSeen() } as const;

  const { said } = await acceptingWhile(() => process.emit('SIGINT'), end);
  await ended.promise;
  process.off('SIGINT', onSignal);

  expect(said[0]).toMatch(/^The merge goes on without this command: "drover queue merge"/u);
});
