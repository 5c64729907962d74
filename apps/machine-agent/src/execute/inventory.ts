/** Lists everything that this machine has of a project: worktrees, branches, sessions, programs. Read from the machine itself. */
import { resolve } from 'node:path';
import type { Reading } from '@drover/core';
import { INVENTORY_ENTRIES_MAX, type Inventory, type Query, type WorkerSettings } from '@drover/protocol';
import { formatIncarnation, type PaneState } from '@drover/tmux';
import {
  baseRef,
  findIdentity,
  findPlaces,
  type Git,
  GitError,
  type Identity,
  listWorkerBranches,
  placesIn,
  readWorkerBranch,
  readWorktree,
  type Place as WorkerPlace,
} from '@drover/worktree';
import { versionLine } from '../host/version-line.ts';
import { ACCESS_VARIABLE } from '../panes/launch.ts';
import { OPTIONS, workerOf } from '../panes/managed.ts';
import { agentPrograms } from '../panes/place/agent-programs.ts';
import { backgroundSessions } from '../panes/place/background-sessions.ts';
import { processesAround, rootAmong, type Program } from '../panes/place/programs.ts';
import { accessFile } from '../signals/hooks.ts';
import type { CommandContext } from './tools.ts';
import { guardedGit, openPlaceOf, worktreeOf } from './worktree-of.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Reads everything at once, without a lock and without a change. @throws GitError, TmuxError when something is unreadable. */
export async function takeInventory(
  context: CommandContext,
  { profiles }: Extract<Query, { kind: 'inventory' }>,
): Promise<Inventory> {
  const { settings, clock } = context;
  const { root } = settings.project;
  const disk = await context.host.disk(root);
  if (disk === undefined) throw new Error(`Cannot read the disk that "${root}" is on`);
  const workers = workersIn(context);
  const sessions = await sessionsOf(context);
  return {
    kind: 'inventory',
    at: clock.now(),
    git: await gitSettings(context),
    programs: await programsOf(context, profiles),
    freeBytes: disk.freeBytes,
    ...(await filesOf(context)),
    sessions: sessions.slice(0, INVENTORY_ENTRIES_MAX),
    looseAgents: await looseAgentsOf(context),
    workers: workers.slice(0, INVENTORY_ENTRIES_MAX),
    commands: newestCommandsOf(context, [
      ...workers.map(({ workerId }) => workerId),
      ...sessions.map(({ workerId }) => workerId),
    ]),
  };
}

/** Workers of the project on this machine. */
function workersIn({ settings, knownWorkers }: CommandContext): readonly WorkerSettings[] {
  return knownWorkers.all().filter(({ project }) => resolve(project.root) === resolve(settings.project.root));
}

/** Reads the settings of git; the identity is the source's, which each worker gets. */
async function gitSettings(context: CommandContext): Promise<Inventory['git']> {
  const { host } = context;
  const { git, archive, worktree, source } = openPlaceOf(context);
  const { name = null, email = null } = await findIdentity(git, { at: archive, source }).catch(() => NO_IDENTITY);
  // Read by git itself, without Drover's own settings.
  const path = (await versionLine(host, 'git', ['-C', worktree, 'config', '--get', 'core.hooksPath'])) || null;
  if (path === null) return { name, email, hooksPath: null };
  const there = (await host.stat(resolve(worktree, path)).catch(() => undefined))?.kind === 'directory';
  return { name, email, hooksPath: { path, there } };
}

const NO_IDENTITY: Identity = {};

async function programsOf(
  { host, profiles }: CommandContext,
  names: readonly string[],
): Promise<Inventory['programs']> {
  const own = [
    { name: 'tmux', argv: ['tmux'], flag: '-V' },
    { name: 'git', argv: ['git'], flag: '--version' },
  ];
  const agents = names.flatMap((name) => {
    const found = profiles.find(name);
    return found === undefined ? [] : [{ name, argv: found.program, flag: '--version' }];
  });
  const asked = [...own, ...agents].map(async ({ name, argv: [path = '', ...args], flag }) => ({
    name,
    path,
    version: await versionLine(host, path, [...args, flag]),
  }));
  const unknown = names.filter((name) => profiles.find(name) === undefined);
  return [
    ...(await Promise.all(asked)),
    { name: 'node', path: process.execPath, version: process.version },
    ...unknown.map((name) => ({ name, path: '', version: null })),
  ];
}

async function filesOf(context: CommandContext): Promise<Pick<Inventory, 'worktrees' | 'strays' | 'branches'>> {
  // The view of a worker in a cage shows its own place alone.
  const { git, root, archive, defaultBranch } = openPlaceOf(context);
  const { places, strays } = await findPlaces(git, { root, archive });
  const kept = await listWorkerBranches(git, { archive, defaultBranch });
  const workers = workersIn(context);
  const looked = await inTurn(places.slice(0, INVENTORY_ENTRIES_MAX), async (one) => {
    // Git of its own worker: files of a program in a cage then run nothing outside.
    const own = guardedGit({ ...context, settings: workers.find(({ name }) => name === one.name) ?? context.settings });
    return observe(own, one, defaultBranch);
  });
  const branches = [
    ...looked.flatMap(({ branch }) => (branch === undefined ? [] : [branch])),
    ...kept.filter(({ name }) => looked.every(({ branch }) => branch?.name !== name)),
  ];
  return {
    worktrees: looked.map(({ worktree }) => worktree),
    strays: strays.slice(0, INVENTORY_ENTRIES_MAX),
    branches: branches.slice(0, INVENTORY_ENTRIES_MAX).map((branch) => ({ ...branch, base: branch.base ?? null })),
  };
}

interface Observed {
  readonly worktree: Inventory['worktrees'][number];
  /** Branch in the place; undefined if that has none. */
  readonly branch: Awaited<ReturnType<typeof readWorkerBranch>>;
}

async function observe(git: Git, place: WorkerPlace, defaultBranch: string): Promise<Observed> {
  const unread = { ...place, dirty: null, rebasing: false, unmerged: 0 };
  const { path, name: worker, gone } = place;
  if (gone) return { worktree: unread, branch: undefined };
  try {
    const { changeCount, rebase, unmerged } = await readWorktree(git, { path, base: baseRef(defaultBranch) });
    return {
      worktree: { ...place, dirty: changeCount, rebasing: rebase !== undefined, unmerged: unmerged.length },
      branch: await readWorkerBranch(git, { path, worker, defaultBranch }),
    };
  } catch (error) {
    if (error instanceof GitError) return { worktree: unread, branch: undefined };
    throw error;
  }
}

/** Lists all sessions but those of other projects: a session of a worker that this machine does not know counts as one of the project that asks. */
async function sessionsOf(context: CommandContext): Promise<Inventory['sessions']> {
  const { root } = context.settings.project;
  const elsewhere = context.knownWorkers.all().filter(({ project }) => resolve(project.root) !== resolve(root));
  const others = new Set(elsewhere.map(({ workerId }) => workerId));
  const placed = await context.tmux.panes();
  const here = placed.filter(({ pane }) => UUID.test(workerOf(pane) ?? '') && !others.has(workerOf(pane) ?? ''));
  return inTurn(here, async ({ pane }) => ({
    workerId: workerOf(pane) ?? '',
    name: pane.options[OPTIONS.name] ?? pane.sessionName,
    profile: pane.options[OPTIONS.profile] ?? null,
    conversation: pane.options[OPTIONS.conversation] ?? null,
    incarnation: formatIncarnation(pane.incarnation),
    dead: pane.dead,
    screen: await screenOf(context, pane),
  }));
}

/**
 * Finds agents outside of their places by one walk of /proc. Agents in a pane, whoever started them there, belong to its worker, as long as they
 * stay in that worker's worktree.
 */
async function looseAgentsOf(context: CommandContext): Promise<Inventory['looseAgents']> {
  const { host, tmux, profiles, machineDir } = context;
  const agents = profiles.all();
  const isAgent = agentPrograms(agents);
  const { root } = openPlaceOf(context);
  const directory = placesIn((await host.realpath(root)) ?? root);
  const marks = workersIn(context).map(({ workerId }) => `${ACCESS_VARIABLE}=${accessFile(machineDir, workerId)}`);
  const around = await processesAround(host, { directory, marks, isAgent });
  if (around === undefined) return null;
  const sessions = (await backgroundSessions(host, agents, around.lines)).filter((one) =>
    one.directory.startsWith(`${directory}/`),
  );
  const inside = around.inside.filter(({ words }) => isAgent(words));
  const found = [...inside, ...around.elsewhere, ...around.unread];
  if (found.length === 0 && sessions.length === 0) return [];
  const living = (await tmux.panes()).filter(({ pane }) => !pane.dead);
  const homes = await homesOf(
    context,
    living.map(({ pane }) => pane),
  );
  const paneOf = await rootAmong(host, homes);
  const isAtHome = ({ pid, directory: worksIn }: Program): boolean => {
    const pane = paneOf(pid);
    const home = pane === undefined ? undefined : homes.get(pane);
    return pane !== undefined && (home == null || worksIn === null || `${worksIn}/`.startsWith(`${home}/`));
  };
  const isKept = new Set(sessions.map(({ pid }) => pid));
  const loose = found.filter((one) => !isAtHome(one) && !isKept.has(one.pid));
  return [
    ...sessions.map(({ what, end, ...one }) => ({
      what,
      directory: one.directory,
      end: end.join(' '),
      why: found.some((other) => other.pid === one.pid && isMarked(other)) ? OUTLIVED : STRANGER,
    })),
    ...loose.map((one) => ({
      what: `process ${one.pid} (${one.words.join(' ')})`,
      directory: one.directory ?? directory,
      end: `kill ${one.pid}`,
      why: around.unread.includes(one) ? UNREAD : isMarked(one) ? OUTLIVED : STRANGER,
    })),
  ].slice(0, INVENTORY_ENTRIES_MAX);
}

/** Worktrees of the workers of panes, without links, by the process of the pane; null: its worker is not known. */
async function homesOf(
  { host, knownWorkers }: CommandContext,
  panes: readonly PaneState[],
): Promise<ReadonlyMap<number, string | null>> {
  const homes = await inTurn(panes, async (pane) => {
    const settings = knownWorkers.settingsOf(workerOf(pane) ?? '');
    const home = settings === undefined ? null : worktreeOf(settings);
    return [pane.incarnation.panePid, home === null ? null : ((await host.realpath(home)) ?? home)] as const;
  });
  return new Map(homes);
}

const OUTLIVED = 'outlived' as const;
const STRANGER = 'stranger' as const;
const UNREAD = 'unread' as const;

function isMarked({ variables }: Program): boolean {
  return variables.some((variable) => variable.startsWith(`${ACCESS_VARIABLE}=`));
}

async function screenOf({ profiles, panes }: CommandContext, facts: PaneState): Promise<Reading | null> {
  const agent = profiles.find(facts.options[OPTIONS.profile] ?? '');
  if (agent === undefined || facts.dead) return null;
  const pane = await panes.at(facts.incarnation);
  return (await pane?.seeWhole(agent.profile))?.reading ?? null;
}

function newestCommandsOf({ journal }: CommandContext, workers: readonly string[]): Inventory['commands'] {
  return Object.fromEntries([...new Set(workers)].map((id) => [id, journal.newestSeq(id)]));
}

/** Runs one item after another: a person can wait a second, and the machine has work to do. */
async function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
