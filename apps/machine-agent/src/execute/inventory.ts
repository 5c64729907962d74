/** What does this machine have of a project: worktrees, branches, sessions, programs? Read from the machine itself. */
import { basename, resolve } from 'node:path';
import type { Reading } from '@drover/core';
import { INVENTORY_ENTRIES_MAX, type Inventory, type Query, type WorkerSettings } from '@drover/protocol';
import { formatIncarnation } from '@drover/tmux';
import {
  baseRef,
  findIdentity,
  findOrphans,
  type Git,
  GitError,
  type Identity,
  listWorkerBranches,
  listWorktrees,
  readWorktree,
  type Worktree,
} from '@drover/worktree';
import { versionLine } from '../host/version-line.ts';
import { OPTIONS, workerOf } from '../panes/managed.ts';
import type { Placed } from '../panes/servers.ts';
import { understand } from '../panes/understand.ts';
import type { CommandContext } from './tools.ts';
import { guardedGit, openPlaceOf } from './worktree-of.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Everything at once, without a lock and without a change. @throws GitError, TmuxError when it cannot be said. */
export async function takeInventory(
  context: CommandContext,
  { profiles }: Extract<Query, { kind: 'inventory' }>,
): Promise<Inventory> {
  const { seat, knownWorkers, clock } = context;
  const { root } = seat.project;
  const git = guardedGit(context);
  const disk = await context.host.disk(root);
  if (disk === undefined) throw new Error(`Cannot read the disk that "${root}" is on`);
  const seats = knownWorkers.all().filter(({ project }) => resolve(project.root) === resolve(root));
  const sessions = await sessionsOf(context);
  return {
    kind: 'inventory',
    at: clock.now(),
    git: await gitSettings(context),
    programs: await programsOf(context, profiles),
    freeBytes: disk.freeBytes,
    ...(await filesOf(git, seat)),
    sessions: sessions.slice(0, INVENTORY_ENTRIES_MAX),
    seats: seats.slice(0, INVENTORY_ENTRIES_MAX),
    orders: newestCommandsOf(context, [
      ...seats.map(({ workerId }) => workerId),
      ...sessions.map(({ workerId }) => workerId),
    ]),
  };
}

/** The identity is that of the source, which each worker gets. */
async function gitSettings(context: CommandContext): Promise<Inventory['git']> {
  const { host } = context;
  const { git, repo: root, source } = openPlaceOf(context);
  const { name = null, email = null } = await findIdentity(git, { at: root, source }).catch(() => NO_IDENTITY);
  // As git itself reads it, not as Drover calls it.
  const path = (await versionLine(host, 'git', ['-C', root, 'config', '--get', 'core.hooksPath'])) || null;
  if (path === null) return { name, email, hooksPath: null };
  const there = (await host.stat(resolve(root, path)).catch(() => undefined))?.kind === 'directory';
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

async function filesOf(
  git: Git,
  { project }: WorkerSettings,
): Promise<Pick<Inventory, 'worktrees' | 'strays' | 'branches'>> {
  const { root: repo, defaultBranch } = project;
  const { worktrees, gone, strays } = await findOrphans(git, { repo, workers: [] });
  const registered = await listWorktrees(git, repo);
  const wanted = new Set([...worktrees, ...gone].map(({ path }) => path));
  const ours = registered.filter(({ path }) => wanted.has(path));
  const branches = await listWorkerBranches(git, { repo, defaultBranch });
  return {
    worktrees: await inTurn(ours.slice(0, INVENTORY_ENTRIES_MAX), (one) =>
      worktreeOf(git, one, baseRef(defaultBranch)),
    ),
    strays: strays.slice(0, INVENTORY_ENTRIES_MAX),
    branches: branches.slice(0, INVENTORY_ENTRIES_MAX).map((branch) => ({ ...branch, base: branch.base ?? null })),
  };
}

async function worktreeOf(
  git: Git,
  { path, branch, gone }: Worktree,
  base: string,
): Promise<Inventory['worktrees'][number]> {
  const known = { name: basename(path), path, branch: branch ?? null, gone };
  try {
    const facts = gone ? null : await readWorktree(git, { path, base });
    return {
      ...known,
      dirty: facts?.changeCount ?? null,
      rebasing: facts?.rebase !== undefined,
      unmerged: facts?.unmerged.length ?? 0,
    };
  } catch (error) {
    if (error instanceof GitError) return { ...known, dirty: null, rebasing: false, unmerged: 0 };
    throw error;
  }
}

/** All but those of other projects: a session of a worker that this machine does not know counts as one of the project that asks. */
async function sessionsOf(context: CommandContext): Promise<Inventory['sessions']> {
  const { root } = context.seat.project;
  const elsewhere = context.knownWorkers.all().filter(({ project }) => resolve(project.root) !== resolve(root));
  const others = new Set(elsewhere.map(({ workerId }) => workerId));
  const placed = await context.tmux.panes();
  const here = placed.filter(({ pane }) => UUID.test(workerOf(pane) ?? '') && !others.has(workerOf(pane) ?? ''));
  return inTurn(here, async ({ server, pane }) => ({
    workerId: workerOf(pane) ?? '',
    name: pane.options[OPTIONS.name] ?? pane.sessionName,
    profile: pane.options[OPTIONS.profile] ?? null,
    conversation: pane.options[OPTIONS.conversation] ?? null,
    incarnation: formatIncarnation(pane.incarnation),
    dead: pane.dead,
    screen: await screenOf(context, { server, pane }),
  }));
}

async function screenOf(
  { profiles, readings, clock }: CommandContext,
  { server, pane }: Placed,
): Promise<Reading | null> {
  const agent = profiles.find(pane.options[OPTIONS.profile] ?? '');
  if (agent === undefined || pane.dead) return null;
  const outcome = await server.capture(pane.incarnation, { colours: true });
  if (outcome.kind !== 'captured') return null;
  const known = await readings.known(formatIncarnation(outcome.capture.facts.incarnation));
  return understand(agent.profile, outcome.capture, { at: clock.now(), known }).reading;
}

function newestCommandsOf({ journal }: CommandContext, workers: readonly string[]): Inventory['orders'] {
  return Object.fromEntries([...new Set(workers)].map((id) => [id, journal.newestSeq(id)]));
}

/** One after the other: a person can wait a second, and the machine has work to do. */
async function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
