// Looks into the simulated repositories for the checks of promises.
import { worksShown } from '@drover/testkit';
import { projectOf } from '../coordinator/projects.ts';
import type { SimProject } from '../coordinator/projects.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import type { RunRepository } from './runs/runs.ts';

/** The repository that is looked into. */
export interface Repository {
  /** Lists what a person is shown of a commit: the works that the default branch does not have, beyond what was taken out of that. */
  readonly worksShown: (head: string) => readonly string[];
  /** All work that is in the default branch, or was taken out of it. */
  readonly mergedOrDropped: () => ReadonlySet<string>;
  /** Tells whether works name a repository which nobody has. */
  readonly namesLost: (works: readonly string[]) => boolean;
  /** Tells whether a commit is in the history of another. */
  readonly isIn: (commit: string, head: string) => boolean;
  /** The files at a commit. */
  readonly treeOf: (head: string) => string;
  /** The project of a commit; null: it is of none. */
  readonly projectOf: (commit: string) => string | null;
  /** Tells whether the default branch of a project contains a commit. */
  readonly contains: (commit: string, projectId: string) => boolean;
  /** Work that is merged, or that other machines than this one hold for the worker. */
  readonly worksElsewhere: (workerId: string, machine: string) => ReadonlySet<string>;
}

interface Parts {
  readonly projects: readonly SimProject[];
  /** The machines, once there are some. */
  readonly machines: () => readonly SimMachine[];
}

export function repositoryOf({ projects, machines }: Parts): Repository & RunRepository {
  const origins = projects.map(({ origin }) => origin);
  const mergedOrDropped = (): ReadonlySet<string> =>
    new Set(origins.flatMap((origin) => [...origin.merged(), ...origin.dropped]));
  const worksElsewhere = (workerId: string, name: string): readonly string[] => {
    const others = machines().filter(({ parts }) => parts.name !== name);
    return others.flatMap(({ parts }) => parts.clones.all().flatMap((clone) => [...clone.worksHeld(workerId)]));
  };
  return {
    worksShown: (head) => worksShown(projectOf(projects, head).origin, head),
    namesLost: (works) => origins.some((origin) => origin.namesLost(works)),
    isIn: (commit, head) => projectOf(projects, head).origin.isAncestor(commit, head),
    treeOf: (head) => projectOf(projects, head).origin.treeOf(head),
    mergedOrDropped,
    projectOf: (commit) => projects.find((_, lane) => commit.startsWith(lane.toString(16)))?.id ?? null,
    contains: (commit, projectId) => {
      const origin = projects.find(({ id }) => id === projectId)?.origin;
      return origin?.isAncestor(commit, origin.tip) === true;
    },
    worksElsewhere: (workerId, name) => new Set([...mergedOrDropped(), ...worksElsewhere(workerId, name)]),
    isPinned: ({ id, projectId, machine }, commit) =>
      machines().some(({ parts: { clones, name } }) => {
        if (name !== machine) return false;
        const clone = clones.of(projectId);
        return [...(clone.pins.get(id) ?? [])].some((pin) => clone.isAncestor(commit, pin));
      }),
    worksBeyond: (commit, base) => {
      const { origin } = projectOf(projects, commit);
      return origin.worksOf(origin.ahead(commit, base));
    },
  };
}
