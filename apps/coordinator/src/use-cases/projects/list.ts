/** The use case of projects: which there are within the caller's reach. */
import type { ProjectFleet } from '@drover/api';
import type { Context } from '../context.ts';
import { readRoster } from '../workers/find.ts';

/** A part of the fleet's use cases. */
export function createProjectFleet(ctx: Context): ProjectFleet {
  return {
    listProjects: async (by) => {
      const { projects, workers } = await readRoster(ctx, by);
      return projects.map(({ id, name, source, defaultBranch }) => ({
        id,
        name,
        source,
        defaultBranch,
        workers: workers.filter(({ projectId }) => projectId === id).length,
      }));
    },
  };
}
