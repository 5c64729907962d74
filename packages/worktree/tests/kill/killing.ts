/** Kills git and Drover in the middle of their work, with all that they started, as a machine does that runs out of memory or power. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile as writeBytes } from 'node:fs/promises';
import type { Git, GitFiles, RunCommand, RunResult } from '../../src/index.ts';
import { nodeFiles } from '../support.ts';

/** The process that gave the commands is dead too: nothing after it happens. */
export class Killed extends Error {}

/**
 * Call to kill, counted from 0: one of git, so many milliseconds after its start, or one that changes a file, at this
 * part of it. A call that is over by then loses its answer.
 */
export interface Death {
  readonly call: number;
  readonly afterMs: number;
  readonly part: number;
}

/** A git call, or a change of a file without git; how long it took, in milliseconds. */
interface Call {
  readonly kind: 'git' | 'file';
  ms: number;
}

/** A git that may die, and what it has done. */
interface Mortal {
  readonly git: Git;
  readonly calls: readonly Call[];
  /** The call that was to be killed was still going on. */
  readonly wasHit: () => boolean;
}

/** Counts the calls, and kills the process at the given one. Nothing of its own outlives it: no program, no write. */
export function mortalGit(environment: NodeJS.ProcessEnv, death?: Death): Mortal {
  const calls: Call[] = [];
  const running = new Set<ChildProcess>();
  let isDead = false;
  let isHit = false;
  const die = (): void => {
    isDead = true;
    for (const child of running) if (child.pid !== undefined) killGroup(child.pid);
  };
  const run: RunCommand = async (program, args, options) => {
    if (isDead) throw new Killed();
    const call: Call = { kind: 'git', ms: 0 };
    const isLast = death?.call === calls.push(call) - 1;
    const startedAt = performance.now();
    // A group of its own: git's own programs die with it.
    const child = spawn(program, [...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...environment, ...options.env },
      detached: true,
    });
    running.add(child);
    const timer = isLast && Number.isFinite(death.afterMs) ? setTimeout(die, death.afterMs) : undefined;
    const result = await ending(child, String(options.input ?? ''));
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
  const changing = async (act: () => Promise<void>, half?: () => Promise<void>): Promise<void> => {
    if (isDead) throw new Killed();
    if (death?.call !== calls.push({ kind: 'file', ms: 0 }) - 1) return act();
    isHit = death.part < 1;
    if (!isHit) await act();
    else if (death.part >= 0.5) await half?.();
    die();
    throw new Killed();
  };
  return { git: { run, files: mortalFiles(() => isDead, changing) }, calls, wasHit: () => isHit };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Ignores a process that is over already.
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
      resolve({
        status: status ?? undefined,
        signal: signal ?? undefined,
        stdout: textOf(out),
        stderr: textOf(err),
        timedOut: false,
      });
    });
  });
}

/** Runs a change, or dies before it, in the middle where there is one, or after it. */
type Changing = (act: () => Promise<void>, half?: () => Promise<void>) => Promise<void>;

/** Files of a process that does nothing once it is dead, also no cleaning up. */
function mortalFiles(isDead: () => boolean, changing: Changing): GitFiles {
  const alive = <A extends readonly unknown[], T>(act: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => (isDead() ? Promise.reject(new Killed()) : act(...args));
  };
  const { writeFile, list, rm, copy } = nodeFiles;
  return {
    readFile: alive(nodeFiles.readFile),
    stat: alive(nodeFiles.stat),
    realpath: alive(nodeFiles.realpath),
    list: alive(list),
    writeFile: (path, text) =>
      changing(
        () => writeFile(path, text),
        () => writeFile(path, text.slice(0, text.length / 2)),
      ),
    mkdir: (path) => changing(() => nodeFiles.mkdir(path)),
    rm: (path) =>
      changing(
        () => rm(path),
        async () => {
          const [first] = (await nodeFiles.stat(path))?.kind === 'directory' ? await list(path) : [];
          if (first !== undefined) await rm(`${path}/${first}`);
        },
      ),
    copy: (from, to) =>
      changing(
        () => copy(from, to),
        async () => {
          const text = await readFile(from, 'latin1');
          await cut(to, text.slice(0, text.length / 2));
        },
      ),
    rename: (from, to) => changing(() => nodeFiles.rename(from, to)),
  };
}

/** Leaves the beginning of a file, byte by byte. */
async function cut(path: string, text: string): Promise<void> {
  await writeBytes(path, text, 'latin1');
}
