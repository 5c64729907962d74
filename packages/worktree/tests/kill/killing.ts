/** Kills a git in the middle of its work, with all that it started, as a machine does that runs out of memory or power. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Files, Git, RunCommand, RunResult } from '../../src/index.ts';
import { nodeFiles } from '../support.ts';

/** The process that gave the commands is dead too: nothing after it happens. */
export class Killed extends Error {}

/** Which git call is killed, counted from 0, and how many milliseconds after its start. One that is over by then loses its answer. */
export interface Death {
  readonly call: number;
  readonly afterMs: number;
}

/** A git that may die, and how many calls it has made. */
interface Mortal {
  readonly git: Git;
  /** What each call was, and how long it took in milliseconds. */
  readonly calls: { readonly args: readonly string[]; ms: number }[];
  /** The call that was to be killed was still going on. */
  readonly wasHit: () => boolean;
}

/** Without a death it only counts. Nothing of its own outlives it: no program, no write. */
export function mortalGit(environment: NodeJS.ProcessEnv, death?: Death): Mortal {
  const calls: Mortal['calls'] = [];
  const running = new Set<ChildProcess>();
  let isDead = false;
  let isHit = false;
  const die = (): void => {
    isDead = true;
    for (const child of running) if (child.pid !== undefined) killGroup(child.pid);
  };
  const run: RunCommand = async (program, args, options) => {
    if (isDead) throw new Killed();
    const call = { args, ms: 0 };
    const isLast = death?.call === calls.push(call) - 1;
    const startedAt = performance.now();
    // A group of its own: git's own programs die with it.
    const child = spawn(program, [...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...environment, ...options.env },
      detached: true,
    });
    running.add(child);
    const timer = isLast ? setTimeout(die, death.afterMs) : undefined;
    const result = await ending(child, options.input ?? '');
    clearTimeout(timer);
    running.delete(child);
    call.ms = performance.now() - startedAt;
    if (isLast) {
      isHit = result.signal === 'SIGKILL';
      die();
    }
    if (isDead) throw new Killed();
    return result;
  };
  return { git: { run, files: mortalFiles(() => isDead) }, calls, wasHit: () => isHit };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It is over already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

function ending(child: ChildProcess, input: string): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', reject);
    child.on('close', (status, signal) => {
      resolve({ status, signal, stdout: textOf(out), stderr: textOf(err), timedOut: false });
    });
  });
}

/** What a dead process does not do, also not while it cleans up. */
function mortalFiles(isDead: () => boolean): Files {
  const alive = <A extends readonly unknown[], T>(act: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => (isDead() ? Promise.reject(new Killed()) : act(...args));
  };
  return {
    readFile: alive(nodeFiles.readFile),
    writeFile: alive(nodeFiles.writeFile),
    stat: alive(nodeFiles.stat),
    realpath: alive(nodeFiles.realpath),
    list: alive(nodeFiles.list),
    mkdir: alive(nodeFiles.mkdir),
    rm: alive(nodeFiles.rm),
    copy: alive(nodeFiles.copy),
    rename: alive(nodeFiles.rename),
  };
}
