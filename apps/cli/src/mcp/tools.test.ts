/** Tests the tools of `drover mcp` against a coordinator that is made up. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ToolView } from '@drover/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { callTool, listTools } from './tools.ts';

const RUN_SHOW: ToolView = {
  name: 'run_show',
  about: 'Shows a run.',
  operation: 'runs.show',
  kind: 'query',
  hasRequestId: false,
  given: {},
  schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
};
const RUN_STOP: ToolView = {
  ...RUN_SHOW,
  name: 'run_stop',
  operation: 'runs.act',
  kind: 'mutation',
  hasRequestId: true,
};
const TELL: ToolView = { ...RUN_STOP, name: 'tell', operation: 'runs.tell' };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'mcp-'));
});
afterEach(() => rm(directory, { recursive: true }));

interface Asked {
  readonly to: string;
  readonly input: unknown;
}

/** Answers every call with `answer`, and the list of tools with these. */
function surroundings(tools: readonly ToolView[], { answer = {}, inPane = false, fails = '' } = {}) {
  const asked: Asked[] = [];
  const access = { url: 'https://drover.example', token: 'drv_t', coordinator: 'c' };
  const parts = {
    worker: inPane ? { worker: 'ada', access } : null,
    paths: null,
    environment: {
      url: access.url,
      token: access.token,
      insecure: false,
      variables: { DROVER_RESULT: directory },
    },
    uuid: () => '00000000-0000-7000-8000-000000000001',
    terminal: { err: () => {} },
    sleep: () => Promise.resolve(),
    http: (url: string, { body }: { body?: string }) => {
      const { pathname, searchParams } = new URL(url);
      const to = pathname.slice('/trpc/'.length);
      const isList = to === 'tools.list';
      if (!isList) asked.push({ to, input: JSON.parse(body ?? searchParams.get('input') ?? 'null') });
      const refusal = { error: { message: fails, data: { reason: 'not-found' } } };
      const said = !isList && fails !== '' ? refusal : { result: { data: isList ? tools : answer } };
      const text = JSON.stringify(said);
      return Promise.resolve({ status: 200, ok: true, text, json: () => Promise.resolve(said) });
    },
  };
  return { asked, given: parts as unknown as Surroundings };
}

test('given tools of a coordinator, when they are called, then the operation gets the arguments, what the tool fills in, and an id of its own', async () => {
  const { given, asked } = surroundings([RUN_SHOW, { ...RUN_STOP, given: { act: 'stop' } }], { answer: { id: 'r1' } });

  expect((await listTools(given)).map(({ name }) => name)).toEqual(['run_show', 'run_stop']);
  expect(await callTool(given, { name: 'run_show', given: { id: 'abcd' } })).toEqual({
    text: '{"id":"r1"}',
    isError: false,
  });
  await callTool(given, { name: 'run_stop', given: { id: 'abcd' } });

  expect(asked).toEqual([
    { to: 'runs.show', input: { id: 'abcd' } },
    { to: 'runs.act', input: { id: 'abcd', act: 'stop', requestId: '00000000-0000-7000-8000-000000000001' } },
  ]);
});

test('given a tool that is not listed, when it is called, then nothing is asked and the answer names those that are there', async () => {
  const { given, asked } = surroundings([TELL], { inPane: true });
  for (const name of ['run_start', 'runs.act', '__proto__', ''])
    expect(await callTool(given, { name, given: {} })).toEqual({
      text: `There is no tool "${name}" for you; there are: result, tell`,
      isError: true,
    });
  expect(asked).toEqual([]);
});

test('given arguments that a tool does not know, when it is called, then nothing is asked and the answer names those that it takes', async () => {
  const { given, asked } = surroundings([RUN_SHOW]);
  const answered = await callTool(given, { name: 'run_show', given: { run: 'abcd' } });
  expect(answered).toEqual({ text: 'The tool "run_show" does not know "run"; it takes: id', isError: true });
  expect(asked).toEqual([]);
});

test('given a refusal of the coordinator, when a tool is called, then its words are the answer', async () => {
  const { given } = surroundings([RUN_SHOW], { fails: 'There is no run "abcd"' });
  expect(await callTool(given, { name: 'run_show', given: { id: 'abcd' } })).toEqual({
    text: 'There is no run "abcd"',
    isError: true,
  });
});

test('given a pane whose task owes a result, when it is given by a tool, then it lies where the machine reads it; another attempt is refused', async () => {
  const { given } = surroundings([], { inPane: true });
  const owed = { runId: 'r1', item: 'build', attempt: 2, returns: 'commit' };
  await writeFile(path.join(directory, 'task.json'), JSON.stringify(owed));

  const forged = await callTool(given, { name: 'result', given: { verdict: 'done', summary: 'Done.', attempt: 1 } });
  const wrong = await callTool(given, { name: 'result', given: { verdict: 'approve', summary: 'Done.' } });
  expect(await readdir(directory)).toEqual(['task.json']);
  const taken = await callTool(given, { name: 'result', given: { verdict: 'done', summary: 'Done.' } });

  expect(forged).toMatchObject({ isError: true, text: expect.stringContaining('does not know "attempt"') });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('expected "done" or "blocked"') });
  expect(taken).toEqual({ isError: false, text: 'Result taken: done. End your turn now; Drover reads it then.' });
  const written: unknown = JSON.parse(await readFile(path.join(directory, '2.json'), 'utf8'));
  expect(written).toMatchObject({ task: 'r1/build', attempt: 2, verdict: 'done' });
});

test('given a pane whose task belongs to no run, when a result is given, then the answer says so', async () => {
  const { given } = surroundings([], { inPane: true });
  const answered = await callTool(given, { name: 'result', given: { verdict: 'done', summary: 'Done.' } });
  expect(answered).toMatchObject({ isError: true, text: expect.stringContaining('belongs to no run') });
});
