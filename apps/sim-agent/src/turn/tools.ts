// Runs the tools of the simulated agent: they edit files below the working directory, run commands and commit.

import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { AfterStep, ToolResult, Turn } from './turn.ts';

/** A command is given up after this long. */
const COMMAND_TIMEOUT_MS = 60_000;

/** Appends a line to a file (`edit`) or makes it anew (`write`). A path outside the working directory fails as a tool does. */
export async function editStep(
  turn: Turn,
  step: { readonly kind: 'edit' | 'write'; readonly path: string; readonly text: string },
): Promise<AfterStep> {
  const { cwd } = turn.session.world;
  const file = resolve(cwd, step.path);
  const adds = step.kind === 'edit' && existsSync(file);
  const content = `${step.text}\n`;
  const input = adds
    ? { file_path: file, old_string: '', new_string: content, replace_all: false }
    : { file_path: file, content };
  const run = async (): Promise<ToolResult> => {
    if (relative(cwd, file).startsWith('..'))
      return { failed: true, text: `${step.path} is outside the working directory` };
    try {
      mkdirSync(dirname(file), { recursive: true });
      if (adds) appendFileSync(file, content);
      else writeFileSync(file, content);
      return { failed: false, text: `The file ${file} has been updated successfully.`, response: { filePath: file } };
    } catch (error) {
      return { failed: true, text: String(error) };
    }
  };
  const result = await turn.tool({ name: adds ? 'Edit' : 'Write', input, run });
  turn.session.push({
    kind: 'tool',
    title: adds ? 'Update' : 'Write',
    subject: step.path,
    lines: result.failed ? [`Error: ${result.text}`] : ['Added 1 line', ` 1 +${step.text}`],
  });
  return 'go-on';
}

/** Commits everything in the working directory, with an identity of its own where git has none. */
export async function commitStep(turn: Turn, message: string): Promise<AfterStep> {
  const input = {
    command: `git add -A && git commit -m ${JSON.stringify(message)}`,
    description: 'Create a git commit',
  };
  const result = await turn.tool({ name: 'Bash', input, run: () => commit(turn, message) });
  if (result.failed) turn.session.push({ kind: 'detail', text: `Error: ${result.text}`, tone: 'error' });
  else turn.session.push({ kind: 'tool-summary', verb: 'Committed', strong: result.text, rest: '' });
  return 'go-on';
}

/** Runs a shell command in the working directory. */
export function runCommand(turn: Turn, command: string): Promise<ToolResult> {
  return run(turn, '/bin/sh', ['-c', command]);
}

async function commit(turn: Turn, message: string): Promise<ToolResult> {
  const known = await run(turn, 'git', ['config', 'user.email']);
  const identity = known.failed ? ['-c', 'user.name=Simulated Agent', '-c', 'user.email=sim-agent@localhost'] : [];
  const added = await run(turn, 'git', ['add', '-A']);
  if (added.failed) return added;
  const committed = await run(turn, 'git', [...identity, 'commit', '-q', '-m', message]);
  return committed.failed ? committed : run(turn, 'git', ['rev-parse', '--short', 'HEAD']);
}

function run(turn: Turn, program: string, args: readonly string[]): Promise<ToolResult> {
  const { cwd, env } = turn.session.world;
  return new Promise((settle) => {
    execFile(program, [...args], { cwd, env, timeout: COMMAND_TIMEOUT_MS }, (error, stdout, stderr) => {
      const text = (stdout + stderr).trim();
      settle({ failed: error !== null, text: text === '' && error !== null ? error.message : text });
    });
  });
}
