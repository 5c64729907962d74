/**
 * Keeps two agents out of one place: before a pane opens for a worker, programs that its earlier session left there are ended. Such a program
 * would change the same files as a new agent. Programs that Drover did not start are never ended: an agent among them keeps the pane closed.
 */
import { type LocalClock, pause } from '@drover/base';
import type { Host } from '@drover/host';
import { CommandError } from '../../failure.ts';
import type { AgentProfile } from '../agent-profile.ts';
import { agentPrograms } from './agent-programs.ts';
import { backgroundSessions, endSession, isDaemonOf } from './background-sessions.ts';
import type { BackgroundSession } from './background-sessions.ts';
import { descentFrom, processesAround, type Program } from './programs.ts';

/** Milliseconds for a program to end after SIGTERM, and after SIGKILL. */
const TERM_MS = 3_000;
const KILL_MS = 5_000;
const CHECK_EVERY_MS = 20;
/** Looks at a place until nothing is left: a daemon starts what was ended again. */
const ROUNDS_MAX = 3;

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
  readonly clock: LocalClock;
  /** Profiles of the machine: their programs are coding agents. */
  readonly agents: readonly AgentProfile[];
}

/** Programs and sessions about a place that belong to no pane of the worker. */
interface Loose {
  /** Programs that an earlier session of the worker has started. */
  readonly own: readonly Program[];
  readonly ownSessions: readonly BackgroundSession[];
  /** Coding agents that Drover did not start there, in words, each with the command that ends it. */
  readonly strangers: readonly { readonly what: string; readonly end: string }[];
}

/**
 * Ends every program that works in the worktree and was started in a pane of this worker, with SIGTERM, then with SIGKILL; coding agents wherever
 * they work. Programs of people have no such variable and stay. Without `/proc` none is found.
 *
 * @returns the ended programs, as they call themselves.
 * @throws CommandError `worktree-in-use` when a coding agent works there that Drover did not start, or a program does not end.
 */
export async function endLeftBehind(tools: Tools, worker: Worker, panes: Panes): Promise<readonly string[]> {
  const ended: string[] = [];
  for (let look = 0; look < ROUNDS_MAX; look += 1) {
    const { own, ownSessions, strangers } = await looseAround(tools, worker, panes);
    refuseStrangers(worker, strangers);
    if (own.length === 0 && ownSessions.length === 0) break;
    for (const session of ownSessions) await endSession(tools.host, session);
    const afterTerm = await endAll(tools, own, { signal: 'SIGTERM', withinMs: TERM_MS });
    const [left] = await endAll(tools, afterTerm, { signal: 'SIGKILL', withinMs: KILL_MS });
    if (left !== undefined) throw undying(worker, left);
    ended.push(...ownSessions.map(({ what }) => what), ...own.map(wordsOf));
  }
  return ended;
}

async function looseAround(
  { host, agents }: Tools,
  { worktree, mark }: Worker,
  { ends, others }: Panes,
): Promise<Loose> {
  const isAgent = agentPrograms(agents);
  const around = await processesAround(host, { directory: worktree, marks: [mark], isAgent });
  if (around === undefined) return { own: [], ownSessions: [], strangers: [] };
  const found = [...around.inside, ...around.elsewhere, ...around.unread].filter(({ pid }) => pid !== ends);
  const living = await backgroundSessions(host, agents, around.lines);
  const sessions = living.filter(({ directory }) => directory === worktree || directory.startsWith(`${worktree}/`));
  if (found.length === 0 && sessions.length === 0) return { own: [], ownSessions: [], strangers: [] };
  const isInPane = await descentFrom(host, new Set(await others()));
  const isOfEnding = await descentFrom(host, new Set(ends === undefined ? [] : [ends]));
  const loose = found.filter(({ pid }) => !isInPane(pid));
  const own = loose.filter(({ variables }) => variables.includes(mark));
  const hasDaemon = own.some(({ words }) => agents.some((agent) => isDaemonOf(agent, words.join(' '))));
  const isOwn = ({ pid }: BackgroundSession): boolean =>
    pid === null ? hasDaemon : own.some((one) => one.pid === pid);
  const isKept = new Set(sessions.map(({ pid }) => pid));
  const agentsOfOthers = loose.filter(
    (one) => isAgent(one.words) && !own.includes(one) && !isOfEnding(one.pid) && !isKept.has(one.pid),
  );
  return {
    own,
    ownSessions: sessions.filter(isOwn),
    strangers: [
      ...sessions.filter((one) => !isOwn(one)).map(({ what, end }) => ({ what, end: end.join(' ') })),
      ...agentsOfOthers.map((one) => ({ what: `process ${one.pid} (${wordsOf(one)})`, end: `kill ${one.pid}` })),
    ],
  };
}

/**
 * Refuses a coding agent that a person started there, or that lost its variables: it would change the same files, and only a person knows its
 * owner.
 */
function refuseStrangers({ name, worktree }: Worker, [stranger]: Loose['strangers']): void {
  if (stranger === undefined) return;
  throw new CommandError(
    'worktree-in-use',
    `Cannot start "${name}": ${stranger.what} is a coding agent that Drover did not start for it, and works in "${worktree}", or may work there. Two agents would change the same files. End it with "${stranger.end}", or wait until it has ended, then answer "retry"`,
  );
}

function undying({ name, worktree }: Worker, left: Program): CommandError {
  return new CommandError(
    'worktree-in-use',
    `Cannot start "${name}": process ${left.pid} (${wordsOf(left)}) of its earlier session works in "${worktree}" and did not end on SIGKILL within ${KILL_MS / 1000} s. Find out what it waits for, or restart the machine`,
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
