/** Tells whether a machine can have a worker whose name a worker of another project already has there. */
import { isMoving } from '@drover/core';
import type { Machine, Project, RosterRow } from '@drover/store';
import { rootOn } from '../projects/place.ts';

/** Workers on each machine, or on the way there, and their projects. */
interface Peopled {
  readonly workers: readonly RosterRow[];
  readonly projects: readonly Project[];
}

/**
 * Tells why the machine cannot have the worker, in words that follow the machine's name. Null: it can. Within one project a name is taken
 * once.
 */
export function whyNoNamesake(
  { workers, projects }: Peopled,
  at: Machine,
  { project, name }: { readonly project: Project; readonly name: string },
): string | null {
  const namesakes = workers.filter((row) => row.name === name && row.projectId !== project.id && isAt(row, at));
  if (namesakes.length === 0) return null;
  const root = rootOn(project, at);
  const isShared = namesakes.some(({ projectId }) => {
    const other = projects.find(({ id }) => id === projectId);
    return other === undefined || rootOn(other, at) === root;
  });
  return isShared ? 'has a worker of that name in another project with the same checkout' : null;
}

/** Counts the machine that a worker comes back from, too: its session may still be there. */
function isAt({ machineId, state: { move } }: RosterRow, at: Machine): boolean {
  return machineId === at.id || (isMoving(move) && move.route.to.id === at.id);
}
