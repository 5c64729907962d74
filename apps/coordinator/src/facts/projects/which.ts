/** Finds the project that a request means. Never guesses among several. */
import type { Refusal } from '@drover/api';
import type { Project } from '@drover/store';
import { refused } from '../../context/refused.ts';

type Projects = { readonly projects: readonly Project[] };

/** Advice for a first project: a coordinator of a fleet has no root that brings one. */
export const NO_PROJECT =
  'There is no project yet: "drover project apply -f drover.toml" or "drover project add NAME --source URL" adds one; for this machine alone run "drover init" and then "drover up"';

/** The project, or the refusal. */
export type WhichProject = { readonly kind: 'found'; readonly project: Project } | Refusal;

/** Finds the project of this name. Refuses with `not-found`, naming the existing projects. */
export function projectNamed({ projects }: Projects, name: string): WhichProject {
  const project = projects.find((one) => one.name === name);
  if (project !== undefined) return { kind: 'found', project };
  const known = projects.length === 0 ? 'there are none' : `there are: ${namesOf({ projects })}`;
  return refused('not-found', `There is no project "${name}"; ${known}`);
}

/** Finds the named project, or the only one. Refuses with `no-project`, `not-found`, or `invalid` where there are several. */
export function theProject(roster: Projects, name: string | undefined): WhichProject {
  if (name !== undefined) return projectNamed(roster, name);
  const [project, ...others] = roster.projects;
  if (project === undefined) return refused('no-project', NO_PROJECT);
  if (others.length === 0) return { kind: 'found', project };
  return refused('invalid', `There are several projects: choose one with --project: ${namesOf(roster)}`);
}

function namesOf({ projects }: Projects): string {
  return projects.map(({ name }) => name).join(', ');
}
