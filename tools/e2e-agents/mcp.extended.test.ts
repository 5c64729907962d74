/** Tries `drover mcp` with the real Claude Code as its client, against the mock model. Needs the program in the cache of `npm run e2e:agents`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheDirectory, found, MockModel, PROGRAMS, RELEASES } from '@drover/real-agents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paneOf } from '../../apps/cli/tests/support/pane.ts';
import { Sandbox } from '../fleet/sandbox.ts';

/** Milliseconds for a test: each prompt starts the program anew. */
const TEST_MS = 400_000;

const cacheDir = cacheDirectory({
  xdgCacheHome: process.env['XDG_CACHE_HOME'],
  home: os.homedir(),
  isRoot: process.getuid?.() === 0,
});
const argv = await found(RELEASES.claude, { agent: 'claude', cacheDir });

let sandbox: Sandbox;
let model: MockModel;
beforeAll(async () => {
  if (argv === null) return;
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  await sandbox.done('add', 'adam', '--wait');
  model = await MockModel.start({ now: () => Date.now() });
});
afterAll(async () => {
  await model?.[Symbol.asyncDispose]();
  await sandbox?.[Symbol.asyncDispose]();
});

interface Block {
  readonly type: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly is_error?: boolean;
}

/** Says one prompt to Claude Code, which has Drover's tools. @returns the answers of the tools that it called. */
async function says(
  prompt: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<readonly { readonly text: string; readonly isError: boolean }[]> {
  const home = path.join(sandbox.directory, 'claude-home');
  await mkdir(home, { recursive: true });
  const place = { home, root: cwd, model: model.url };
  await PROGRAMS.claude.settle(place);
  const servers = { mcpServers: { drover: { command: sandbox.program, args: ['mcp'], env } } };
  const [program = '', ...first] = argv ?? [];
  const args = ['-p', prompt, '--mcp-config', JSON.stringify(servers), '--strict-mcp-config'];
  const more = ['--allowedTools', 'mcp__drover', '--output-format', 'stream-json', '--verbose'];
  const child = spawn(program, [...first, ...args, ...more], {
    cwd,
    // Otherwise it offers tools of servers to the model only once the model has searched for them.
    env: { ...env, ...PROGRAMS.claude.env(place), HOME: home, ENABLE_TOOL_SEARCH: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return said.split('\n').flatMap((line) => answersIn(line));
}

function answersIn(line: string): readonly { readonly text: string; readonly isError: boolean }[] {
  if (!line.startsWith('{')) return [];
  const { type, message } = JSON.parse(line) as { type: string; message?: { content?: readonly Block[] | string } };
  if (type !== 'user' || !Array.isArray(message?.content)) return [];
  return (message.content as readonly Block[])
    .filter((block) => block.type === 'tool_result')
    .map(({ content, is_error: isError = false }) => {
      const text = typeof content === 'string' ? content : (content ?? []).map((one) => one.text ?? '').join('');
      return { text, isError };
    });
}

test.skipIf(argv === null)(
  'given Claude Code at the side of a person, when its model calls tools, then it starts and shows a run, and is told of a mistake',
  async () => {
    const at = { cwd: sandbox.root, env: sandbox.env };
    const [started] = await says('USETOOL run_start {"flow":"change","inputs":{"goal":"Add a flag"}}', at);
    const { id } = JSON.parse(started?.text ?? '') as { id: string };
    const [shown] = await says(`USETOOL run_show {"id":"${id}"}`, at);
    const [wrong] = await says('USETOOL run_show {"id":"ffffffff"}', at);
    await sandbox.done('run', 'stop', id);

    expect(JSON.parse(shown?.text ?? '')).toMatchObject({ id, flow: 'change' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('There is no run "ffffffff"') });
    const tools = model.exchanges.at(-1)?.asked.tools ?? [];
    expect(tools).toEqual(expect.arrayContaining(['mcp__drover__run_start', 'mcp__drover__worker_message']));
  },
  TEST_MS,
);

test.skipIf(argv === null)(
  'given Claude Code in a pane, when its model looks for tools, then it is offered those of an agent alone',
  async () => {
    const { env, worktree } = await paneOf(sandbox, 'adam');
    const [asked] = await says('USETOOL ask {"text":"May I?"}', { cwd: worktree, env });
    const offered = model.exchanges.at(-1)?.asked.tools.filter((name) => name.startsWith('mcp__')) ?? [];

    expect(offered.toSorted()).toEqual(['mcp__drover__ask', 'mcp__drover__result', 'mcp__drover__tell']);
    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining('adam does no task of a run') });
  },
  TEST_MS,
);
