/** Finds the depot of a worker's project on this machine, and the landing worktree for checks of its work. */
import { join } from 'node:path';
import type { WorkerSettings } from '@drover/protocol';
import { type DepotPlace, isRemoteUrl, LANDING } from '@drover/worktree';
import { homeOf, type HomeContext } from './ask-home.ts';
import { depotsOf } from './depots.ts';
import type { CommandContext } from './tools.ts';

type InProject = Pick<CommandContext, 'machineDir' | 'settings'>;

/** Depot of a worker's project. */
export function depotPlaceOf(context: InProject & HomeContext): DepotPlace {
  const { source, elsewhere = false, defaultBranch } = context.settings.project;
  const directory = depotDirectoryOf(context);
  if (isRemoteUrl(source)) return { directory, target: { kind: 'remote', url: source, defaultBranch } };
  if (elsewhere) return { directory, target: { kind: 'home', home: homeOf(context), defaultBranch } };
  return sourcePlaceOf(context);
}

/** Depot of a project whose repository is on this machine. */
export function sourcePlaceOf(
  context: InProject,
): DepotPlace & { readonly target: Extract<DepotPlace['target'], { kind: 'source' }> } {
  const { source, defaultBranch } = context.settings.project;
  return { directory: depotDirectoryOf(context), target: { kind: 'source', source, defaultBranch } };
}

/** Directory of the depot and its landing worktrees. */
export function depotDirectoryOf({ machineDir, settings }: InProject): string {
  return join(depotsOf(machineDir), settings.project.id);
}

/**
 * Name of the landing worktree. Each worker in a cage has its own: its checks could leave ignored files, such as programs, that the checks of
 * others would run.
 */
export function landingNameOf(cages: CommandContext['cages'], worker: WorkerSettings): string {
  return cages.holds(worker) ? ownLandingName(worker) : LANDING;
}

/** Name of the landing worktree that only a worker in a cage has. */
export function ownLandingName({ workerId }: Pick<WorkerSettings, 'workerId'>): string {
  return `${LANDING}-${workerId}`;
}
