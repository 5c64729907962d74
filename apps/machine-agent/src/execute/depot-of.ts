/** Where does the depot of a worker's project lie on this machine, and in which landing worktree is its work checked? */
import { join } from 'node:path';
import type { WorkerSettings } from '@drover/protocol';
import { type DepotPlace, isRemoteUrl, LANDING } from '@drover/worktree';
import type { CommandContext } from './tools.ts';

/** Where the depots of all projects lie: in the agent's own directory, which no worker in a cage sees. */
export function depotsOf(dataDir: string): string {
  return join(dataDir, 'depots');
}

/** The depot of a worker's project. */
export function depotPlaceOf({ dataDir, seat }: Pick<CommandContext, 'dataDir' | 'seat'>): DepotPlace {
  const { id, source, defaultBranch } = seat.project;
  const target: DepotPlace['target'] = isRemoteUrl(source)
    ? { kind: 'remote', url: source, defaultBranch }
    : { kind: 'source', source, defaultBranch };
  return { directory: join(depotsOf(dataDir), id), target };
}

/**
 * Checks of a worker in a cage could leave ignored files, such as programs, that the checks of others would run: each such
 * worker has a landing worktree of its own.
 */
export function landingNameOf(cages: CommandContext['cages'], worker: WorkerSettings): string {
  return cages.holds(worker) ? ownLandingName(worker) : LANDING;
}

/** The landing worktree that a worker has only in a cage. */
export function ownLandingName({ workerId }: Pick<WorkerSettings, 'workerId'>): string {
  return `${LANDING}-${workerId}`;
}
