/**
 * Finds and ends programs that an earlier session of a worker left in its worktree: a background session of the agent, a server, a build that
 * left its process group. With a new agent beside them, two programs would change the same files.
 */
import type { Host } from '@drover/host';
import { CommandError } from '../failure.ts';
import type { Clock } from '../ports.ts';
import { pause } from '../time.ts';

/** Milliseconds to list the working directories of all processes. */
const LIST_MS = 10_000;
/** Milliseconds for a program to end after SIGTERM, and after SIGKILL. */
const TERM_MS = 3_000;
const KILL_MS = 5_000;
const CHECK_EVERY_MS = 20;
/** Bytes of a process's variables, and of its arguments, that are read. */
const VARIABLES_BYTES_MAX = 256 * 1024;
const ARGUMENTS_BYTES_MAX = 200;
/** Programs of one worktree that are ended; a fork bomb needs other means. */
const PROGRAMS_MAX = 500;

/** Whose programs are looked for. */
interface Worker {
  readonly name: string;
  /** Its worktree, without links. */
  readonly worktree: string;
  /** A variable that the programs of its panes have, and those of no other worker, as `NAME=value`. */
  readonly mark: string;
}

interface Program {
  readonly pid: number;
  readonly words: string;
}

/**
 * Ends every program that works in the worktree and was started in a pane of this worker, with SIGTERM, then with SIGKILL. Programs of people
 * have no such variable and stay. Without `/proc` none is found.
 *
 * @param except The process of a pane that tmux itself ends.
 * @returns what was ended, as the programs call themselves.
 * @throws CommandError `program-left-behind` when one does not end.
 */
export async function endLeftBehind(
  { host, clock }: { readonly host: Host; readonly clock: Clock },
  worker: Worker,
  except: number | undefined,
): Promise<readonly string[]> {
  const pids = (await processesIn(host, worker.worktree)).filter((pid) => pid !== except).slice(0, PROGRAMS_MAX);
  const found = await Promise.all(pids.map(async (pid) => programOf(host, pid, worker)));
  const programs = found.filter((program) => program !== undefined);
  if (programs.length === 0) return [];
  const afterTerm = await endAll({ host, clock }, programs, { signal: 'SIGTERM', withinMs: TERM_MS });
  const [left] = await endAll({ host, clock }, afterTerm, { signal: 'SIGKILL', withinMs: KILL_MS });
  if (left !== undefined) {
    throw new CommandError(
      'program-left-behind',
      `Cannot start "${worker.name}": process ${left.pid} (${left.words}) of its earlier session works in "${worker.worktree}" and did not end on SIGKILL within ${KILL_MS / 1000} s. Find out what it waits for, or restart the machine`,
    );
  }
  return programs.map(({ words }) => words);
}

/** Ids of the processes whose working directory is the worktree, or lies in it. */
async function processesIn(host: Host, worktree: string): Promise<readonly number[]> {
  const script = 'ls -ld /proc/[0-9]*/cwd 2>/dev/null || :';
  const { stdout } = await host.run('sh', ['-c', script], { env: { LC_ALL: 'C' }, timeoutMs: LIST_MS });
  return stdout.split('\n').flatMap((line) => {
    const at = line.indexOf(' /proc/');
    const [, pid = '', directory = ''] = /^\/proc\/(\d+)\/cwd -> (.*)$/u.exec(line.slice(at + 1)) ?? [];
    return directory === worktree || directory.startsWith(`${worktree}/`) ? [Number(pid)] : [];
  });
}

async function programOf(host: Host, pid: number, { mark }: Worker): Promise<Program | undefined> {
  const variables = await readWords(host, `/proc/${pid}/environ`, VARIABLES_BYTES_MAX);
  if (!variables.includes(mark)) return undefined;
  const words = await readWords(host, `/proc/${pid}/cmdline`, ARGUMENTS_BYTES_MAX);
  return { pid, words: words.join(' ').trim() };
}

/**
 * The beginning of the file: command lines of cages and builds are longer than what people are told. Nothing of a process that has ended, or
 * of another user. With `head`, because these files have no size that a reader could go by.
 */
async function readWords(host: Host, path: string, bytes: number): Promise<readonly string[]> {
  const { stdout } = await host.run('head', ['-c', String(bytes), path], { timeoutMs: LIST_MS });
  return stdout.split('\0');
}

/** @returns those that still run when the time is over. */
async function endAll(
  { host, clock }: { readonly host: Host; readonly clock: Clock },
  programs: readonly Program[],
  { signal, withinMs }: { readonly signal: 'SIGTERM' | 'SIGKILL'; readonly withinMs: number },
): Promise<readonly Program[]> {
  if (programs.length === 0) return [];
  for (const { pid } of programs) await host.processes.signal(pid, signal);
  const end = clock.now() + withinMs;
  for (;;) {
    const running = await Promise.all(programs.map(async ({ pid }) => host.processes.isRunning(pid)));
    const left = programs.filter((_, index) => running[index] === true);
    if (left.length === 0 || clock.now() >= end) return left;
    await pause(clock, CHECK_EVERY_MS);
  }
}
