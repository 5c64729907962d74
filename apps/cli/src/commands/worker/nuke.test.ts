/** Tests the removal of a worker with an unfinished task: a terminal asks for the end of the task, and without a terminal the removal is refused. */
import { afterEach, expect, test } from 'vitest';
import type { Surroundings } from '../../surroundings.ts';
import { workerSeen } from '@drover/api/testing';
import { command } from './nuke.ts';

const wasTerminal = process.stdin.isTTY;
afterEach(() => {
  process.stdin.isTTY = wasTerminal;
});

const UNFINISHED = 'adam: Not removed: its task "mend" is not finished. Repeat with --task requeue or --task drop';
const NOTE = 'its task "mend" is in the work queue again (S1)';

function answered(data: unknown) {
  return { status: 200, ok: true, json: async () => ({ result: { data } }) };
}

/** Runs `drover nuke adam`, at a terminal where the person types `answer`. */
async function nuke({ task, answer, json = false }: { task?: string; answer?: string; json?: boolean }) {
  process.stdin.isTTY = answer !== undefined;
  const said: string[] = [];
  const questions: string[] = [];
  const sent: unknown[] = [];
  let ids = 0;
  const surroundings = {
    environment: { url: 'https://localhost:1', token: 't' },
    paths: null,
    worker: null,
    terminal: {
      json,
      out: (line: string) => said.push(line),
      question: async (text: string) => {
        questions.push(text);
        return answer ?? '';
      },
    },
    now: () => 0,
    sleep: async () => {},
    uuid: () => `00000000-0000-7000-8000-00000000000${(ids += 1)}`,
    http: async (url: string, { body }: { body?: string }) => {
      if (new URL(url).pathname.endsWith('workers.list')) return answered([]);
      const input: unknown = JSON.parse(body ?? '{}');
      sent.push(input);
      if (typeof input === 'object' && input !== null && 'task' in input)
        return answered({ worker: workerSeen({}), note: NOTE });
      const error = { message: UNFINISHED, data: { reason: 'task-unfinished' } };
      return { status: 409, ok: false, json: async () => ({ error }) };
    },
  } as unknown as Surroundings;
  const options = { all: false, force: true, ...(task !== undefined && { task }) };
  const failed = await command.start(surroundings, { args: ['adam'], options }).then(
    () => null,
    (error: unknown) => error,
  );
  return { said, questions, sent, failed };
}

test('given no terminal, when a worker with a task is removed, then that is refused, with the option and the task', async () => {
  const { sent, questions, failed } = await nuke({});

  expect(failed).toMatchObject({ code: 'refused', message: UNFINISHED });
  expect(questions).toEqual([]);
  expect(sent).toHaveLength(1);
});

test('given a terminal but JSON output, when a worker with a task is removed, then no question is asked', async () => {
  const { questions, failed } = await nuke({ answer: 'drop', json: true });

  expect(failed).toMatchObject({ code: 'refused' });
  expect(questions).toEqual([]);
});

test('given a terminal, when a worker with a task is removed, then the person chooses between ends whose meaning is told', async () => {
  const { said, questions, sent, failed } = await nuke({ answer: ' requeue ' });

  expect(failed).toBeNull();
  expect(questions).toEqual([
    expect.stringMatching(/requeue: its prompt goes back.*\n.*drop: it ends without a result/u),
  ]);
  expect(sent).toEqual([
    expect.not.objectContaining({ task: expect.anything() }),
    expect.objectContaining({ task: 'requeue', force: true, requestId: expect.stringMatching(/2$/u) }),
  ]);
  expect(said).toEqual([`Removed adam; ${NOTE}`]);
});

test.each(['', 'yes', 'dorp', 'toString'])(
  'given a terminal, when the person types %j, then nothing is removed',
  async (answer) => {
    const { sent, failed } = await nuke({ answer });

    expect(failed).toMatchObject({ code: 'refused', message: 'Nothing was done' });
    expect(sent).toHaveLength(1);
  },
);

test('given an end that there is not, when it is named, then the command says which there are, and nothing is asked of the coordinator', async () => {
  const { sent, failed } = await nuke({ task: 'keep' });

  expect(failed).toMatchObject({
    code: 'usage',
    message: '--task takes requeue or drop, not "keep"',
  });
  expect(sent).toEqual([]);
});
