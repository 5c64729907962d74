// `npm run recording`: plays a first task in a real terminal, with a simulated agent, and writes docs/guides/first-task.svg.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { REPOSITORY } from '../checks/source/rooms.ts';
import { endTmux, environmentOf } from '../fleet/place.ts';
import { until } from '../fleet/wait.ts';
import { drawSvg } from './svg.ts';
import type { Frame } from './svg.ts';

const OUTPUT = 'docs/guides/first-task.svg';
const COLUMNS = 96;
const ROWS = 24;
/** Milliseconds until a key has reached the terminal, and until a step has failed. */
const EVERY_MS = 100;
const STEP_MS = 60_000;
/** Ends each command: the prompt is back. */
const PROMPT = '$ ';

const run = promisify(execFile);

const TASK = `Add a --version flag. Test it.

WRITE shop.py import sys; print("1.0" if "--version" in sys.argv else "Welcome")
WRITE test_shop.py # prints the version alone
COMMIT Add a --version flag
`;

/** Commands of the story, and the seconds for which their end stands. */
const STORY = [
  { line: 'cd shop && drover init && cd ../shop-drover', seconds: 2.5 },
  { line: '# in another terminal: drover up', seconds: 1.5, runs: ['drover', 'up'] },
  { line: 'drover add --profile sim adam --wait', seconds: 2, waitsFor: '[' },
  { line: 'drover start --prompt-file ../task.md', seconds: 2 },
  { line: 'drover status', seconds: 3, waitsFor: '"needs_review"' },
  { line: 'clear; drover review', seconds: 5 },
  { line: 'clear; drover accept && git -C ../shop log --oneline -n 2', seconds: 5 },
] as const;

const place = await mkdtemp(path.join(os.tmpdir(), 'd-'));
const socket = path.join(place, 'tmux.sock');
try {
  await record();
} finally {
  await tmux('kill-server').catch(() => {});
  await run(path.join(REPOSITORY, 'bin/drover'), ['down'], { cwd: path.join(place, 'shop-drover'), env: env() }).catch(
    () => {},
  );
  await endTmux(place);
  await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function record(): Promise<void> {
  await prepare();
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', `${COLUMNS}`, '-y', `${ROWS}`, '-c', place, 'sh', '-i');
  await untilShown('the prompt', (screen) => screen.trimEnd().endsWith(PROMPT.trim()));
  await tmux('set-option', '-g', 'status', 'off');
  const frames: Frame[] = [{ text: await capture(), seconds: 0.8 }];
  for (const step of STORY) {
    if ('runs' in step) await tmux('new-window', '-d', '-c', path.join(place, 'shop-drover'), ...step.runs);
    if ('waitsFor' in step) await untilWorkersAre(step.waitsFor);
    for (const part of partsOf(step.line)) {
      await tmux('send-keys', '-l', '--', part);
      frames.push({ text: await capture(), seconds: 0.25 });
    }
    await tmux('send-keys', 'Enter');
    await pause(EVERY_MS);
    await untilShown(step.line, (screen) => screen.trimEnd().split('\n').at(-1)?.trim() === PROMPT.trim());
    frames.push({ text: await capture(), seconds: step.seconds });
  }
  const title = 'drover init, up, add, start, status, review and accept in a terminal';
  await writeFile(path.join(REPOSITORY, OUTPUT), drawSvg(frames, { columns: COLUMNS, rows: ROWS, title }));
  console.log(`${OUTPUT}: ${frames.length} screens`);
}

/** Makes a repository with one commit, and a task. */
async function prepare(): Promise<void> {
  const shop = path.join(place, 'shop');
  await mkdir(shop);
  for (const name of ['run', 'home', 'home/.claude']) await mkdir(path.join(place, name), { mode: 0o700 });
  await writeFile(path.join(place, 'task.md'), TASK);
  await writeFile(path.join(shop, 'shop.py'), 'print("Welcome")\n');
  await writeFile(path.join(place, 'home/.gitconfig'), '[user]\nname = Ada\nemail = ada@example.com\n');
  await mkdir(path.join(place, 'bin'));
  // `drover init` looks for it; the worker of the story has a simulated agent.
  await writeFile(path.join(place, 'bin/claude'), '#!/bin/sh\necho claude 2.0.0\n', { mode: 0o755 });
  await writeFile(path.join(place, 'home/.claude/.credentials.json'), '{}');
  const git = (...args: readonly string[]) => run('git', ['-C', shop, ...args], { env: env() });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'A shop');
}

function env(): NodeJS.ProcessEnv {
  const own = environmentOf(place);
  return {
    ...own,
    PATH: `${path.join(REPOSITORY, 'bin')}:${path.join(place, 'bin')}:${own['PATH'] ?? ''}`,
    DROVER_COORDINATOR_PORT: '0',
    TERM: 'xterm-256color',
    DROVER_PAGER: 'cat',
    PS1: PROMPT,
  };
}

/** Waits until the list of workers as JSON holds these words. */
async function untilWorkersAre(words: string): Promise<void> {
  const cwd = path.join(place, 'shop-drover');
  const list = (): Promise<{ stdout: string }> =>
    run(path.join(REPOSITORY, 'bin/drover'), ['worker', '--json'], { cwd, env: env() });
  const areSo = async (): Promise<boolean> => (await list().catch(() => ({ stdout: '' }))).stdout.includes(words);
  await until(`workers with ${words}`, areSo, STEP_MS);
}

/** Cuts a line into the parts that are seen being typed. */
function partsOf(line: string): readonly string[] {
  return line.match(/\S+\s*/gu) ?? [];
}

async function untilShown(what: string, isThere: (screen: string) => boolean): Promise<void> {
  const ask = async (): Promise<boolean> => isThere((await tmux('capture-pane', '-p')).stdout);
  await until(async () => `${what}:\n${await capture()}`, ask, STEP_MS);
}

async function capture(): Promise<string> {
  return (await tmux('capture-pane', '-p', '-e')).stdout;
}

function tmux(...args: readonly string[]): Promise<{ stdout: string }> {
  return run('tmux', ['-S', socket, ...args], { env: env() });
}
