/** Begins, restarts and ends a worker's session. */
import type { Host } from '@drover/host';
import { type Chain, type Command, literalInFormat, runIf } from '../commands/command.ts';
import { invariant, TmuxError } from '../errors.ts';
import { isSameIncarnation, type PaneAddress, PID_OPTION } from './incarnation.ts';
import { FULL_SIZE, setFullSize } from './size.ts';
import type { FactsFormat, PaneState } from './facts.ts';
import { type Epoch, ifObeyed, throwIfFenced } from '../server/epoch.ts';
import { type CommandRunner, firstError, linesOf, type Replies } from '../commands/runner.ts';

/** Program of a pane. The program and its arguments are passed unchanged: there is no shell. */
export interface PaneProgram {
  /** Absolute directory; it must exist, for tmux would quietly use the home directory instead. */
  readonly cwd: string;
  /** Program and arguments. */
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Variables to remove; `TMUX` and `TMUX_PANE` are always removed, for they would let the program drive the server. */
  readonly unsetEnv?: readonly string[];
}

/** Program to start in a pane that exists. */
export interface RespawnPlan extends PaneProgram {
  /** Ends the program that runs there. */
  readonly force?: boolean;
  /** User options that change with the program, in one step with it: a reader of the new incarnation sees them too. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface SessionPlan extends PaneProgram {
  /** Name with letters, digits, `_` and `-`. */
  readonly name: string;
  /** Columns. Default: those of {@link FULL_SIZE}. */
  readonly width?: number;
  /** Rows. Default: those of {@link FULL_SIZE}. */
  readonly height?: number;
  /** User options by name with `@`; each must be among those the server was opened with. */
  readonly options?: Readonly<Record<string, string>>;
}

/** `exists`: there is already a session of this name; nothing was changed. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly pane: PaneState }
  | { readonly kind: 'exists' }
  | { readonly kind: 'cwd-missing' };

/** `still-running`: the pane's program lives and `force` was not set. */
export type RespawnOutcome =
  | { readonly kind: 'respawned'; readonly pane: PaneState }
  | { readonly kind: 'still-running' }
  | { readonly kind: 'pane-gone' }
  | { readonly kind: 'cwd-missing' };

/** Parts of their server that these functions use. */
export interface SessionTools {
  readonly runner: CommandRunner;
  readonly facts: FactsFormat;
  readonly epoch: Epoch;
  readonly host: Pick<Host, 'stat'>;
}

/** Milliseconds for a command that starts a program; forking a busy server takes its time. */
const TIMEOUT_MS = 10_000;
const DID = 'drover-did';
const GONE = 'drover-gone';

/** Creates a session with one pane; its name is an atomic guard against a second start. */
export async function createSession(
  { runner, facts, host, epoch }: SessionTools,
  plan: SessionPlan,
): Promise<CreateOutcome> {
  const { name, width = FULL_SIZE.columns, height = FULL_SIZE.rows, options = {} } = plan;
  invariant(/^[A-Za-z0-9_-]+$/.test(name), `"${name}" is no session name: use A-Z a-z 0-9 _ -`);
  checkOptions(facts, options);
  if (!(await isDirectory(host, plan.cwd))) return { kind: 'cwd-missing' };

  const size = ['-x', String(width), '-y', String(height)];
  const answer = await runner.exec(
    [
      ifObeyed(epoch, [
        ['new-session', '-d', '-P', '-F', facts.format, '-s', name, ...size, ...programArgs(plan)],
        keepPid(`=${name}:`),
        setFullSize(`=${name}:`, { columns: width, rows: height }),
        ...Object.entries(options).map(([option, value]): Command => ['set-option', '-t', `=${name}:`, option, value]),
        ['resize-window', '-t', `=${name}:`, ...size],
      ]),
    ],
    { timeoutMs: TIMEOUT_MS },
  );
  throwIfFenced(linesOf(answer));
  const error = firstError(answer);
  if (error?.includes('duplicate session') === true) return { kind: 'exists' };
  const pane = panesIn(facts, answer)[0];
  if (error !== undefined || pane === undefined) {
    throw new TmuxError('refused', `tmux did not create session "${name}": ${error ?? 'no pane'}`);
  }
  return { kind: 'created', pane: { ...pane, options } };
}

/** Facts that {@link respawnPane} found before it acted; the watch counts exits by them. */
interface RespawnResult {
  readonly before: PaneState | undefined;
  readonly outcome: RespawnOutcome;
}

/** Starts a program in an existing pane, which keeps its id, history and the options that the plan does not name. */
export async function respawnPane(
  { runner, facts, host, epoch }: SessionTools,
  pane: PaneAddress,
  plan: RespawnPlan,
): Promise<RespawnResult> {
  const options = Object.entries(plan.options ?? {});
  checkOptions(facts, plan.options ?? {});
  if (!(await isDirectory(host, plan.cwd))) {
    return { before: undefined, outcome: { kind: 'cwd-missing' } };
  }
  const { paneId } = pane;
  const force = plan.force === true;
  const ask: Command = ['display-message', '-p', '-t', paneId, facts.format];
  const respawn: Chain = [
    ['respawn-pane', ...(force ? ['-k'] : []), '-t', paneId, ...programArgs(plan)],
    // Runs only if the respawn is not refused.
    keepPid(paneId),
    ...options.map(([option, value]): Command => ['set-option', '-t', paneId, option, value]),
    ask,
    ['display-message', '-p', DID],
  ];
  const gone: Chain = [['display-message', '-p', GONE]];
  const start = runIf(paneId, isSameIncarnation(pane), { run: respawn, otherwise: gone });
  const answer = await runner.exec([[ask, ...ifObeyed(epoch, [start])]], { timeoutMs: TIMEOUT_MS });
  const lines = linesOf(answer);
  throwIfFenced(lines);
  const [before, after] = panesIn(facts, answer);
  if (lines.includes(DID) && after !== undefined) {
    return { before, outcome: { kind: 'respawned', pane: after } };
  }
  if (lines.includes(GONE)) return { before, outcome: { kind: 'pane-gone' } };
  if (before?.dead === false && !force) return { before, outcome: { kind: 'still-running' } };
  const message = `tmux did not respawn ${paneId}: ${firstError(answer) ?? 'no reason given'}`;
  throw new TmuxError('refused', message);
}

/** Ends a pane's session; its program gets SIGHUP. */
export async function killSession(
  { runner, epoch }: SessionTools,
  pane: PaneAddress,
): Promise<{ readonly kind: 'killed' | 'pane-gone' }> {
  const did: Command = ['display-message', '-p', DID];
  const gone: Chain = [['display-message', '-p', GONE]];
  const kill: Chain = [did, ['kill-session', '-t', pane.paneId]];
  const end = runIf(pane.paneId, isSameIncarnation(pane), { run: kill, otherwise: gone });
  const answer = await runner.exec([ifObeyed(epoch, [end])], { timeoutMs: TIMEOUT_MS });
  const lines = linesOf(answer);
  throwIfFenced(lines);
  if (lines.includes(DID)) return { kind: 'killed' };
  const error = firstError(answer);
  if (lines.includes(GONE) || (error !== undefined && /can't find/.test(error))) return { kind: 'pane-gone' };
  throw new TmuxError('refused', `tmux did not end the session of ${pane.paneId}: ${error ?? 'no reason given'}`);
}

/** Saves the pid in the chain of the start, so that no end can come before it. */
function keepPid(target: string): Command {
  return ['set-option', '-p', '-F', '-t', target, PID_OPTION, '#{pane_pid}'];
}

function checkOptions(facts: FactsFormat, options: Readonly<Record<string, string>>): void {
  for (const option of Object.keys(options)) {
    const known = facts.userOptions.includes(option);
    invariant(known, `option "${option}" is not among the userOptions the server was opened with`);
  }
}

function panesIn(facts: FactsFormat, replies: Replies): readonly PaneState[] {
  return replies.filter(({ ok }) => ok).flatMap(({ body }) => facts.read(body));
}

/**
 * Arguments `-c`, `-e` and the command. The command always runs through `env`, which takes variables away; tmux would give a command of a
 * single word to a shell.
 */
function programArgs({ cwd, argv, env = {}, unsetEnv = [] }: PaneProgram): readonly string[] {
  const [program] = argv;
  const isProgram = program !== undefined && !/^-|=|^$/.test(program);
  invariant(isProgram, `"${program}" is no program: expected a name or path without "="`);
  const set = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const unset = ['TMUX', 'TMUX_PANE', ...unsetEnv].flatMap((name) => ['-u', name]);
  return ['-c', literalInFormat(cwd), ...set, '--', 'env', ...unset, ...argv];
}

async function isDirectory(host: Pick<Host, 'stat'>, path: string): Promise<boolean> {
  return (await host.stat(path))?.kind === 'directory';
}
