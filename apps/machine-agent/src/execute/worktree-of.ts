/** Finds the places of a worker's work on this machine. */
import type { Host } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import {
  archiveOf,
  type DepotPlace,
  depotOf,
  type Git,
  workerBranch,
  type WorkerPlace,
  worktreePath,
} from '@drover/worktree';
import { gitFor } from '../host/git-for.ts';
import { depotPlaceOf } from './depot-of.ts';
import type { CommandContext } from './tools.ts';

/** Places of a worker and the git that works on them. */
export interface Place {
  readonly git: Git;
  /** Directory below which the project's workers have their places. */
  readonly root: string;
  readonly depot: DepotPlace;
  readonly archive: string;
  readonly worktree: string;
  readonly branch: string;
  readonly worker: string;
  readonly source: string;
  readonly defaultBranch: string;
}

export type PlaceContext = Pick<
  CommandContext,
  'host' | 'cages' | 'settings' | 'signal' | 'machineDir' | 'parcels' | 'commandId'
>;

/** Places of a worker's work, with a git that ends when the command does, and sees no more than it needs of a worker in a cage. */
export function placeOf(context: PlaceContext): Place {
  return placeWith(context, guardedGit(context));
}

/** Places with a git that may change the source. In the worktree this git only reads commits, which runs nothing and follows no link. */
export function openPlaceOf(context: PlaceContext): Place {
  return placeWith(context, openGit(context));
}

/** Git on the worktree of this worker. */
export function guardedGit({
  host,
  cages,
  settings,
  signal,
}: Pick<PlaceContext, 'host' | 'cages' | 'settings' | 'signal'>): Git {
  if (!cages.holds(settings)) return gitFor(host, settings, signal);
  const inside = gitFor(
    inView(host, (call) => cages.wordsForGit(settings, call)),
    withoutHooks(settings),
    signal,
  );
  // Drover's own repositories lie where the cage's git sees nothing, and hold nothing of the worktree that git could run or follow.
  return { ...inside, runOutside: gitFor(host, withoutHooks(settings), signal).run };
}

/** Host whose programs run behind other command words. */
export function inView(
  host: Host,
  words: (call: { cwd: string | undefined; args: readonly string[] }) => Promise<readonly string[]>,
): Host {
  return {
    ...host,
    run: async (program, args, options) => {
      const [first = program, ...rest] = [...(await words({ cwd: options.cwd, args })), program, ...args];
      return host.run(first, rest, options);
    },
  };
}

/** Switches the repository's hooks off: hooks may lie in the worktree, which a worker in a cage can write to, and would run outside. */
function withoutHooks(worker: WorkerSettings): WorkerSettings {
  return { ...worker, project: { ...worker.project, runHooks: false } };
}

function openGit({ host, cages, settings, signal }: PlaceContext): Git {
  return gitFor(host, cages.holds(settings) ? withoutHooks(settings) : settings, signal);
}

function placeWith(context: PlaceContext, git: Git): Place {
  const { settings } = context;
  const { root, defaultBranch, elsewhere = false } = settings.project;
  const depot = depotPlaceOf(context);
  return {
    git,
    root,
    depot,
    archive: archiveOf(depot),
    worktree: worktreeOf(settings),
    branch: workerBranch(settings.project, settings.name),
    worker: settings.name,
    // The depot names the author of commits if the repository is on another machine.
    source: elsewhere ? depotOf(depot) : settings.project.source,
    defaultBranch,
  };
}

/** Place from which the worker's clone is made: the depot has the commit. */
export function clonePlaceOf(place: Place, base: string, origin: string): WorkerPlace {
  const { worktree: path, worker, depot, archive, source, defaultBranch } = place;
  return { path, worker, depot: depotOf(depot), archive, source, defaultBranch, base, origin };
}

/** @throws GitError `bad-name`. */
export function worktreeOf({ project, name }: WorkerSettings): string {
  return worktreePath(project.root, name);
}
