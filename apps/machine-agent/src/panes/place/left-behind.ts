/**
 * Keeps two agents out of one place: before a pane opens for a worker, programs that its earlier session left there are ended. Such a program
 * would change the same files as a new agent. Programs that Drover did not start are never ended: an agent among them keeps the pane closed.
 */
import type { Host } from '@drover/host';
import { CommandError } from '../../failure.ts';
import type { Clock } from '../../ports.ts';
import { pause } from '../../time.ts';
import { descentFrom, programsIn, type Program } from './programs.ts';

/** Milliseconds for a program to end after SIGTERM, and after SIGKILL. */
const TERM_MS = 3_000;
const KILL_MS = 5_000;
const CHECK_EVERY_MS = 20;

/** Worker whose programs are looked for. */
interface Worker {
  readonly name: string;
  /** Path of the worktree, without links. */
  readonly worktree: string;
  /** Variable that the programs of its panes have, and no other worker's, as `NAME=value`. */
  readonly mark: string;
}

/** Processes that belong where they are. */
interface Panes {
  /** Process of a pane that tmux itself ends. */
  readonly ends: number | undefined;
  /** Processes of other panes of its session, in which a person may have a shell. Asked for only if something is there. */
  readonly others: () => Promise<readonly number[]>;
}

interface Tools {
  readonly host: Host;
  readonly clock: Clock;
  /** Recognizes the command line of a coding agent. */
  readonly isAgent: (words: readonly string[]) => boolean;
}

/**
 * Ends every program that works in the worktree and was started in a pane of this worker, with SIGTERM, then with SIGKILL. Programs of people
 * have no such variable and stay. Without `/proc` none is found.
 *
 * @returns the ended programs, as they call themselves.
 * @throws CommandError `worktree-in-use` when a coding agent works there that Drover did not start, or a program does not end.
 */
export async function endLeftBehind(tools: Tools, worker: Worker, { ends, others }: Panes): Promise<readonly string[]> {
  const { host } = tools;
  const found = (await programsIn(host, worker.worktree, (pid) => pid !== ends)) ?? [];
  if (found.length === 0) return [];
  const isInPane = await descentFrom(host, new Set(await others()));
  const loose = found.filter(({ pid }) => !isInPane(pid));
  await refuseStrangers(tools, worker, { loose, ends });
  const programs = loose.filter(({ variables }) => variables.includes(worker.mark));
  const afterTerm = await endAll(tools, programs, { signal: 'SIGTERM', withinMs: TERM_MS });
  const [left] = await endAll(tools, afterTerm, { signal: 'SIGKILL', withinMs: KILL_MS });
  if (left !== undefined) {
    throw new CommandError(
      'worktree-in-use',
      `Cannot start "${worker.name}": process ${left.pid} (${wordsOf(left)}) of its earlier session works in "${worker.worktree}" and did not end on SIGKILL within ${KILL_MS / 1000} s. Find out what it waits for, or restart the machine`,
    );
  }
  return programs.map(wordsOf);
}

/**
 * Refuses a coding agent that a person started there, or that lost its variables: it would change the same files, and only a person knows its
 * owner.
 */
async function refuseStrangers(
  { host, isAgent }: Tools,
  { name, worktree, mark }: Worker,
  { loose, ends }: { readonly loose: readonly Program[]; readonly ends: number | undefined },
): Promise<void> {
  const agents = loose.filter(({ words, variables }) => isAgent(words) && !variables.includes(mark));
  if (agents.length === 0) return;
  const isOfPane = await descentFrom(host, new Set(ends === undefined ? [] : [ends]));
  const [stranger] = agents.filter(({ pid }) => !isOfPane(pid));
  if (stranger === undefined) return;
  throw new CommandError(
    'worktree-in-use',
    `Cannot start "${name}": process ${stranger.pid} (${wordsOf(stranger)}) is a coding agent that Drover did not start for it, and works in "${worktree}". Two agents would change the same files. End it, or wait until it has ended, then answer "retry"`,
  );
}

function wordsOf({ words }: Program): string {
  return words.join(' ').trim();
}

/** Ends programs. @returns those that still run when the time is over. */
async function endAll(
  { host, clock }: Pick<Tools, 'host' | 'clock'>,
  programs: readonly Program[],
  { signal, withinMs }: { readonly signal: 'SIGTERM' | 'SIGKILL'; readonly withinMs: number },
): Promise<readonly Program[]> {
  for (const program of programs) if (await isStill(host, program)) await host.processes.signal(program.pid, signal);
  const end = clock.elapsed() + withinMs;
  for (;;) {
    const running = await Promise.all(programs.map(async (program) => isStill(host, program)));
    const left = programs.filter((_, index) => running[index] === true);
    if (left.length === 0 || clock.elapsed() >= end) return left;
    await pause(clock, CHECK_EVERY_MS);
  }
}

/** Tells whether this is still the same process: its number may belong to another one meanwhile. */
async function isStill({ processes }: Host, { pid, started }: Program): Promise<boolean> {
  return (await processes.startOf(pid)) === started && (await processes.isRunning(pid));
}
