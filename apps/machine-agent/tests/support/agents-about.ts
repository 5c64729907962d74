/** Coding agents, as scripts, that get into a worktree past its pane. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { onTestFinished } from 'vitest';
import { Profiles } from '../../src/panes/agent-profile.ts';
import { endLeftBehind } from '../../src/panes/place/left-behind.ts';
import { testHost } from './test-host.ts';
import { until } from './until.ts';

/**
 * An agent that runs until it is ended and writes its number down; its daemon starts its background session again when that was killed, as the
 * real one does, unless `stop` has ended it.
 */
const CLAUDE = `#!/bin/sh
home=$(dirname "$0")
case "$1" in
agents) cat "$home/sessions.json"; exit ;;
stop) rm "$home/wanted"; kill $(cat "$home/session.pid"); echo '[]' >"$home/sessions.json"; exit ;;
daemon)
  while sleep 0.05; do
    [ -e "$home/wanted" ] || continue
    kill -0 $(cat "$home/session.pid") 2>/dev/null && continue
    (cd "$WORKTREE" && exec setsid "$0" session) &
    until [ "$(cat "$home/session.pid")" = "$!" ]; do sleep 0.02; done
    echo '[{"pid":'$!',"id":"29158c97","cwd":"'"$WORKTREE"'","kind":"background","state":"working"}]' >"$home/sessions.json"
  done ;;
session) echo $$ >"$home/session.pid" ;;
*) echo $$ >"$home/agent.pid" ;;
esac
while :; do sleep 0.1; done
`;

/** Place of a worker, and an agent program called claude. */
export class AgentsAbout {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'about-')));
  readonly worktree = join(this.dir, 'root/.worktrees/kim');
  readonly claude = join(this.dir, 'bin/claude');
  readonly mark = `DROVER_WORKER_FILE=${this.dir}/kim.json`;

  constructor() {
    mkdirSync(this.worktree, { recursive: true });
    mkdirSync(join(this.dir, 'bin'));
    writeFileSync(this.claude, CLAUDE);
    chmodSync(this.claude, 0o755);
    writeFileSync(join(this.dir, 'bin/sessions.json'), '[]');
    onTestFinished(() => {
      for (const name of ['starter', 'agent', 'session']) kill(this.#pid(name));
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  /** Runs a line of shell, in which `$CLAUDE` is the agent, in the worktree or elsewhere, with the variables of the worker's pane or without. */
  run(line: string, { cwd = this.worktree, isOfPane = true }: { cwd?: string; isOfPane?: boolean } = {}): void {
    const [, file = ''] = this.mark.split('=');
    const { DROVER_WORKER_FILE: _, ...rest } = process.env;
    const env = {
      ...rest,
      WORKTREE: this.worktree,
      CLAUDE: this.claude,
      ...(isOfPane && { DROVER_WORKER_FILE: file }),
    };
    const child = spawn('sh', ['-c', line], { cwd, env, stdio: 'ignore', detached: true });
    writeFileSync(join(this.dir, 'bin/starter.pid'), String(child.pid));
    child.unref();
  }

  /** Waits for an agent, or the session of its daemon. @returns its process id. */
  async started(name: 'agent' | 'session' = 'agent'): Promise<number> {
    return until(`the ${name}`, () => (isAlive(this.#pid(name)) ? this.#pid(name) : undefined));
  }

  /** Wants a session in the background, which a daemon that runs starts. */
  wantSession(): void {
    writeFileSync(join(this.dir, 'bin/session.pid'), '');
    writeFileSync(join(this.dir, 'bin/wanted'), '');
  }

  /** Does what happens before a pane opens for the worker. @returns the ended programs. */
  async open(): Promise<readonly string[]> {
    const given = await testHost({ home: this.dir });
    const host = given.host ?? createLocalHost({ env: process.env });
    const own = { claude: { program: [this.claude], args: [], env: {} } };
    const tools = { host, clock: systemClock, agents: new Profiles(own, BUILT_IN_PROFILES).all() };
    const worker = { name: 'kim', worktree: this.worktree, mark: this.mark };
    return endLeftBehind(tools, worker, { ends: undefined, others: () => Promise.resolve([]) });
  }

  /** Agents of this place that live: in the worktree, or started for it. */
  living(): readonly string[] {
    return ['agent', 'session'].filter((name) => isAlive(this.#pid(name)));
  }

  #pid(name: string): number {
    const file = join(this.dir, `bin/${name}.pid`);
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  }
}

/** Tells whether this machine lets a user make a mount namespace. */
export function hasNamespaces(): boolean {
  return spawnSync('bwrap', ['--bind', '/', '/', 'true']).status === 0;
}

/** Kills the process, and its group if it leads one. */
function kill(pid: number): void {
  if (pid <= 1) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // The process has ended.
    }
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 1) return false;
  try {
    return !/^[ZX]/u.test(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? 'X');
  } catch {
    return false;
  }
}
