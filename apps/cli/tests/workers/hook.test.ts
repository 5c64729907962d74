/** Tests that `drover hook` answers as a program expects it, and never disturbs the program. Real processes. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { finished, type Ended } from '../../../../tools/fleet/processes.ts';
import { DROVER } from '../../../../tools/fleet/program.ts';

const directory = await mkdtemp(path.join(os.tmpdir(), 'drover-hook-'));
afterAll(() => rm(directory, { recursive: true }));

const EVENT = {
  session_id: 's',
  hook_event_name: 'PostToolUseFailure',
  tool_name: 'Bash',
  tool_input: { command: 'npm ci' },
  error: 'Exit code 1\nnpm error code ENOTFOUND\nnpm error network request to https://registry.example failed',
};

async function hook(
  input: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> {
  const { PATH = '' } = process.env;
  const child = spawn(DROVER, ['hook', ...args], { env: { PATH, HOME: directory, ...env } });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return finished(child);
}

function said({ stdout }: Ended): { hookEventName: string; additionalContext: string } {
  return JSON.parse(stdout).hookSpecificOutput;
}

test('given a network that is away, when a command fails four times, then three retries are advised and the last is filed', async () => {
  const file = path.join(directory, 'network.jsonl');

  const answers: string[] = [];
  for (let time = 0; time < 4; time += 1) {
    const ended = await hook(JSON.stringify(EVENT), { DROVER_TOOL_FAILURES: file });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(said(ended).hookEventName).toBe('PostToolUseFailure');
    answers.push(said(ended).additionalContext);
  }

  expect(answers[0]).toMatch(/^\[Recovery\] Classified as: network\n\[Recovery\] Retry 1\/3 in \d+ s/);
  expect(answers[2]).toMatch(/Retry 3\/3/);
  expect(answers[3]).toMatch(/Filed as S1/);
  const kinds = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).action.kind);
  expect(kinds).toEqual(['retry', 'retry', 'retry', 'queue']);
});

test('given rules of the project, when the hook of its agent answers, then those hold', async () => {
  const file = path.join(directory, 'rules.jsonl');
  const DROVER_TOOL_POLICY = '{"network":{"retriesMax":9}}';

  const ended = await hook(JSON.stringify(EVENT), { DROVER_TOOL_FAILURES: file, DROVER_TOOL_POLICY });

  expect(said(ended).additionalContext).toContain('[Recovery] Retry 1/9 in');
});

test('given a red test in the test phase, when its hook is answered, then it is no error and nothing is written down', async () => {
  const file = path.join(directory, 'red.jsonl');

  const ended = await hook(JSON.stringify({ ...EVENT, error: 'Exit code 1' }), {
    DROVER_TOOL_FAILURES: file,
    DROVER_PHASE: 'test',
  });

  expect(said(ended).additionalContext).toMatch(/^\[Recovery\] Not an error/);
  expect(await readFile(file, 'utf8')).toBe('');
});

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['an event that is no JSON', '{"hook_event_name": "PostTool', {}],
  ['no event', '', {}],
  ['a hook of an unknown kind', '{"hook_event_name":"FullMoon"}', {}],
  ['a session that is no worker', JSON.stringify(EVENT), { DROVER_TOOL_FAILURES: '' }],
  ['a disk that is full', JSON.stringify(EVENT), { DROVER_TOOL_FAILURES: '/dev/full' }],
  ['a directory that is not there', JSON.stringify(EVENT), { DROVER_TOOL_FAILURES: '/nowhere/x.jsonl' }],
])('given %s, when the hook is called, then it says nothing and ends with 0', async (_, input, env) => {
  const ended = await hook(input, { DROVER_TOOL_FAILURES: path.join(directory, 'quiet.jsonl'), ...env });

  expect(ended).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('given a file of failures that is broken and full, when the hook is called, then it neither fails nor grows it', async () => {
  const file = path.join(directory, 'full.jsonl');
  const before = Buffer.alloc(4 * 1024 * 1024, 'x');
  await writeFile(file, before);

  const ended = await hook(JSON.stringify(EVENT), { DROVER_TOOL_FAILURES: file });

  expect(ended).toMatchObject({ status: 0, stdout: '' });
  expect((await readFile(file)).length).toBe(before.length);
});

test('given an argument, when a person calls it, then they are told what it is for', async () => {
  const ended = await hook('', {}, ['--help']);

  expect(ended.status).toBe(0);
  expect(ended.stdout).toMatch(/called by coding agents/);
});
