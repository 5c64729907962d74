/** Access to a worker's pane: its environment, its directory, and commands run with them. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Ended } from '../../../../tools/fleet/processes.ts';
import type { Sandbox } from '../../../../tools/fleet/sandbox.ts';

/** A worker's pane, seen from a test. */
export interface Pane {
  /** The first process of the pane. */
  readonly pid: number;
  readonly socket: string;
  readonly worktree: string;
  /** The whole initial environment of the pane's program. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `drover` like the pane's agent. */
  drover(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs `sh` like the pane's agent; `$DROVER` is the program. */
  sh(script: string): Promise<Ended>;
}

/** Finds the pane of a worker that is up. */
export async function paneOf(sandbox: Sandbox, name: string): Promise<Pane> {
  const attach = await sandbox.drover(['attach', name, '--json']);
  const { argv } = JSON.parse(attach.stdout) as { argv: readonly string[] };
  const socket = argv[argv.indexOf('-S') + 1] ?? '';
  const listed = execFileSync('tmux', ['-S', socket, 'list-panes', '-t', `=drover-${name}:`, '-F', '#{pane_pid}']);
  const pid = Number(listed.toString());
  const env = environmentIn(await readFile(`/proc/${pid}/environ`, 'utf8'));
  const worktree = path.join(sandbox.root, '.worktrees', name);
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    sandbox.bare(args, { cwd: worktree, env: { ...env, ...more } });
  return {
    pid,
    socket,
    worktree,
    env,
    drover: (args, more) => run([sandbox.program, ...args], more),
    sh: (script) => run(['sh', '-c', script], { DROVER: sandbox.program }),
  };
}

function environmentIn(text: string): Record<string, string> {
  const pairs = text.split('\0').filter((pair) => pair.includes('='));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
