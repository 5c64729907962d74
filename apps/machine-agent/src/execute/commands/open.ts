/** Starts a worker's agent program in its pane. */
import { join, resolve } from 'node:path';
import { trusts, type Launch, type Command, type CommandResult } from '@drover/core';
import type { Host } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import {
  formatIncarnation,
  parseIncarnation,
  type CreateOutcome,
  type PaneState,
  type PaneProgram,
  type RespawnOutcome,
  type SessionPlan,
} from '@drover/tmux';
import { addressFile, offerAddress, readAddress, wayInto } from '../../channels/address.ts';
import { CommandError } from '../../failure.ts';
import { ACCESS_VARIABLE, paneProgram } from '../../panes/launch.ts';
import { knowIncarnation, openedNow, type Clocks } from '../../panes/seen-incarnation.ts';
import { OPTIONS, workerOf } from '../../panes/managed.ts';
import { clearDeadLocks } from '../../panes/place/dead-locks.ts';
import { endLeftBehind } from '../../panes/place/left-behind.ts';
import type { SessionServer } from '../../panes/servers.ts';
import { hookFiles, installHooks, settingsGiven } from '../../signals/hooks.ts';
import { programIdOf } from '../../store/conversation-names.ts';
import { writeCommand } from '../../signals/results.ts';
import { keepsTranscripts, sizeOf, transcriptPath } from '../../signals/transcript.ts';
import { ON_PANE, type KnownCommands } from '../known.ts';
import type { CommandContext } from '../tools.ts';
import { worktreeOf } from '../worktree-of.ts';

export const OPEN = {
  open: { ...ON_PANE, needs: 'source-and-program', carryOut: open },
  respawn: { ...ON_PANE, needs: 'source-and-program', carryOut: respawn },
} satisfies KnownCommands;

/** Answers `opened`, also when the session is there already; restarts a dead program in it. */
async function open(context: CommandContext, { launch }: Extract<Command, { kind: 'open' }>): Promise<CommandResult> {
  const { settings, tmux } = context;
  const existing = await tmux.find(settings.workerId);
  if (existing !== undefined && !existing.pane.dead) return kept(context, existing.pane, launch.conversation);
  const start = await startOf(context, launch);
  if (existing !== undefined) return startAnew(context, { ...existing, start, force: false });
  await clearWorktree(context, start);
  const outcome = await tmux.place((server) => createSession(context, server, start));
  switch (outcome.kind) {
    case 'created':
      return opened(context, outcome.pane, start.conversation);
    case 'cwd-missing':
      throw worktreeMissing(context);
    case 'exists': {
      const what = `a tmux session "drover-${settings.name}" is there that is not this worker's`;
      throw new CommandError(
        'session-name-taken',
        `Cannot open "${settings.name}": ${what}. End it, or rename the worker`,
      );
    }
    default:
      return outcome satisfies never;
  }
}

/** Restarts the program in the pane of the incarnation that the command names. A repeat only answers with the new incarnation. */
async function respawn(
  context: CommandContext,
  command: Extract<Command, { kind: 'respawn' }>,
): Promise<CommandResult> {
  const found = await context.tmux.find(context.settings.workerId);
  if (found === undefined) return { kind: 'pane-gone' };
  const { server, pane: present } = found;
  const force = formatIncarnation(present.incarnation) === command.incarnation && command.force;
  // The files of a start belong to the program that runs.
  if (!present.dead && !force) return kept(context, present, command.launch.conversation);
  return startAnew(context, { server, pane: present, start: await startOf(context, command.launch), force });
}

interface Start {
  readonly program: PaneProgram;
  /** Conversation with which the program really starts. */
  readonly conversation: string;
  /** Option of its session with the time of the start. */
  readonly opened: Readonly<Record<string, string>>;
}

/** Creates the session under the worker's own name, or under a unique one if a worker of another project has that name. */
async function createSession(context: CommandContext, server: SessionServer, start: Start): Promise<CreateOutcome> {
  const { settings } = context;
  const name = `drover-${settings.name}`;
  const outcome = await server.createSession(sessionOf(settings, { name, start }));
  if (outcome.kind !== 'exists' || !(await isNamesakes(context, { server, name }))) return outcome;
  return server.createSession(
    sessionOf(settings, { name: `${name}_${settings.workerId.slice(-UNIQUE_CHARS)}`, start }),
  );
}

/** Characters from the end of an id, which is random; its beginning is the time. No worker's name has the `_` before them. */
const UNIQUE_CHARS = 8;

/** Tells whether the session of that name belongs to a worker with another checkout, which does not use this worker's files. */
async function isNamesakes(
  { tmux, knownWorkers, settings }: CommandContext,
  { server, name }: { readonly server: SessionServer; readonly name: string },
): Promise<boolean> {
  const placed = await tmux.panes();
  const found = placed.find((one) => one.server === server && one.pane.sessionName === name);
  const holder = found && knownWorkers.settingsOf(workerOf(found.pane) ?? '');
  return holder !== undefined && resolve(holder.project.root) !== resolve(settings.project.root);
}

function sessionOf(
  worker: WorkerSettings,
  { name, start }: { readonly name: string; readonly start: Start },
): SessionPlan {
  return {
    name,
    ...start.program,
    width: worker.sessionWidth,
    height: worker.sessionHeight,
    options: {
      [OPTIONS.worker]: worker.workerId,
      [OPTIONS.name]: worker.name,
      [OPTIONS.conversation]: start.conversation,
      [OPTIONS.profile]: worker.profile,
      ...start.opened,
    },
  };
}

async function startAnew(
  context: CommandContext,
  { server, pane, start, force }: { server: SessionServer; pane: PaneState; start: Start; force: boolean },
): Promise<CommandResult> {
  const { panes } = context;
  if (force) panes.expectGone(formatIncarnation(pane.incarnation));
  await clearWorktree(context, start, pane.incarnation.panePid);
  const outcome: RespawnOutcome = await server.respawn(pane.incarnation, {
    ...start.program,
    force,
    options: { [OPTIONS.conversation]: start.conversation, ...start.opened },
  });
  switch (outcome.kind) {
    case 'respawned':
      return opened(context, outcome.pane, start.conversation);
    case 'still-running':
      return kept(context, pane, start.conversation);
    case 'pane-gone':
      return { kind: 'pane-gone' };
    case 'cwd-missing':
      throw worktreeMissing(context);
    default:
      return outcome satisfies never;
  }
}

/** Ends programs that an earlier session left in the worktree, except the program that tmux ends itself. @throws CommandError `worktree-in-use`. */
async function clearWorktree(context: CommandContext, { program }: Start, ends?: number): Promise<void> {
  const { host, clock, settings, log, tmux, profiles } = context;
  const mark = `${ACCESS_VARIABLE}=${program.env?.[ACCESS_VARIABLE]}`;
  const others = async (): Promise<readonly number[]> =>
    (await tmux.panes())
      .filter(({ pane }) => workerOf(pane) === settings.workerId && !pane.dead)
      .map(({ pane }) => pane.incarnation.panePid)
      .filter((pid) => pid !== ends);
  const tools = { host, clock, agents: profiles.all() };
  const worker = { name: settings.name, worktree: program.cwd, mark };
  const ended = await endLeftBehind(tools, worker, { ends, others });
  await clearDeadLocks(context, program.cwd);
  if (ended.length === 0) return;
  log('warn', `Ended ${ended.length} program(s) that an earlier session of "${settings.name}" left in its worktree`, {
    programs: ended.slice(0, 10),
  });
}

/**
 * Keeps the running pane: from now on the commanded conversation is another name of its own. If an agent died just after it had started the
 * program, the next agent knows that conversation from the pane alone.
 */
async function kept(context: CommandContext, pane: PaneState, wanted: string): Promise<CommandResult> {
  const { knownWorkers, conversationNames, settings } = context;
  const seen = knowIncarnation(knownWorkers, pane, clocksOf(context));
  if (seen !== undefined) await conversationNames.name(settings.workerId, wanted, seen.conversation);
  return { kind: 'opened', incarnation: formatIncarnation(pane.incarnation) };
}

function clocksOf({ clock, host }: Pick<CommandContext, 'clock' | 'host'>): Clocks {
  return { now: () => clock.now(), offsetMs: () => host.clockOffsetMs() };
}

function opened(
  { knownWorkers, settings, clock }: CommandContext,
  pane: PaneState,
  conversation: string,
): CommandResult {
  const incarnation = formatIncarnation(pane.incarnation);
  knownWorkers.rememberIncarnation(incarnation, { workerId: settings.workerId, conversation, openedAt: clock.now() });
  return { kind: 'opened', incarnation };
}

/** Program, arguments and files of a start. The program's files on disk decide between fresh and resumed. */
async function startOf(context: CommandContext, wanted: Launch): Promise<Start> {
  const { host, profiles, settings, conversationNames, machineDir, home, versions } = context;
  const agent = profiles.of(settings);
  const cwd = (await host.realpath(worktreeOf(settings))) ?? worktreeOf(settings);
  const conversation = await conversationNames.named(settings.workerId, wanted.conversation);
  const path = transcriptPath(agent.profile, { home, cwd, conversation });
  const kind = path === null ? wanted.kind : await kindOnDisk(host, path, wanted);
  const files = hookFiles(machineDir, settings.workerId, agent.profile);
  const isVersioned = files.settings !== null || agent.profile.launch.channel !== null;
  const version = isVersioned ? await versions.of(agent.program) : null;
  const { profile, inner } = agent;
  await installHooks(host, files, { profile, version, inner, answer: context.hookCommand, home });
  const launch: Launch = { kind, conversation };
  const programId = await programIdOf(conversationNames, settings.workerId, conversation);
  const file = addressFile(machineDir, settings.workerId);
  const permissions = settings.skipPermissions ? 'skip' : 'ask';
  const former = kind === 'fresh' ? null : ((await readAddress(host, file)) ?? 'unknown');
  const isTrusted = trusts(settings.project.trust, 'folder') === true;
  const way = wayInto(agent, { version, isCaged: context.cages.holds(settings), isTrusted, permissions, former });
  const address = await offerAddress(host, way.kind === 'open' ? way.channel : null, {
    file,
    permissions,
    runtimeDir: context.runtimeDir,
    newSecret: context.newSecret,
  });
  const searchPath = await pathWithCommand(context);
  const settingsFile = await settingsGiven(host, files, agent.profile);
  const cage = await context.cages.wordsFor(settings, {
    reads: [files.access, commandPlace(machineDir), ...(settingsFile === null ? [] : [settingsFile])],
    writes: [
      files.failures,
      files.news,
      files.payloads,
      files.results,
      ...(files.status === null ? [] : [files.status]),
    ],
  });
  void context.workerAccess.renew(settings.workerId);
  const { failures: failuresFile, access: accessFile, results } = files;
  const paths = { cwd, settingsFile, failuresFile, accessFile, results, searchPath };
  const opened = openedNow(clocksOf(context));
  return {
    conversation,
    opened,
    program: paneProgram(agent, { settings, launch, programId, address, cage, ...paths }),
  };
}

/** Puts `drover` first on the PATH of the program, so that its agent finds the Drover that started it; null: there is none on that machine. */
async function pathWithCommand({
  host,
  profiles,
  settings,
  machineDir,
  hookCommand,
}: CommandContext): Promise<string | null> {
  if (hookCommand === null) return null;
  const place = commandPlace(machineDir);
  await writeCommand(host, place, hookCommand);
  const own = profiles.of(settings).env['PATH'] ?? settings.env['PATH'] ?? (await host.environment())['PATH'] ?? '';
  return own === '' ? null : `${place}:${own}`;
}

/** Directory with the command `drover` for agents. */
function commandPlace(machineDir: string): string {
  return join(machineDir, 'hooks', 'bin');
}

/** Picks the kind by the transcript: an unused conversation cannot be resumed, and a used one cannot be restarted. */
async function kindOnDisk(host: Host, path: string, wanted: Launch): Promise<Launch['kind']> {
  const size = await sizeOf(host, path);
  if (size === null || (size === 0 && !(await keepsTranscripts(host, path)))) return wanted.kind;
  return size > 0 ? 'resume' : 'fresh';
}

function worktreeMissing({ settings }: CommandContext): CommandError {
  const message = `Cannot start "${settings.name}": its worktree "${worktreeOf(settings)}" is missing; it must be prepared first`;
  return new CommandError('worktree-missing', message, { retry: true });
}

/** Parses an incarnation that the coordinator sent. @throws CommandError when it names no pane. */
export function addressOf(incarnation: string): ReturnType<typeof parseIncarnation> {
  try {
    return parseIncarnation(incarnation);
  } catch (cause) {
    throw new CommandError('bad-incarnation', `"${incarnation}" names no pane of this machine`, { cause });
  }
}
