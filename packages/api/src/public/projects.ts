/** Projects: what clients see, and the use case. */
import { uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Actor } from '../people.ts';

/** A project as its configuration names it. */
export const projectView = z.object({
  id: uuid,
  name: z.string(),
  /** Where its repository comes from. */
  source: z.string(),
  defaultBranch: z.string(),
  workers: z.number().int(),
});

/** A checked `projectView`. */
export type ProjectView = z.infer<typeof projectView>;

/** The use cases of projects: a part of `Fleet`. */
export interface ProjectFleet {
  listProjects(by: Actor): Promise<readonly ProjectView[]>;
}
