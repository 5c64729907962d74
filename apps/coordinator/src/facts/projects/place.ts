/** Where a project lies on a machine: each machine has its own workspace, and nothing needs equal paths. */
import { createHash } from 'node:crypto';
import type { Machine, Project } from '@drover/store';
import { isElsewhere } from './home.ts';

/** A project as one machine has it: `root` is its checkout there; `elsewhere`: its source is on another machine. */
export type Placed = Omit<Project, 'root'> & { readonly root: string; readonly elsewhere: boolean };

/**
 * The machine's owner comes first (`[agent.checkouts]`, or the root in which the agent was started), then the place where the machine
 * made its checkout, then `<workspace>/<slug>`.
 */
export function placed(project: Project, machine: Machine | null | undefined): Placed {
  return { ...project, root: rootOn(project, machine) ?? '', elsewhere: isElsewhere(project, machine) };
}

/** Null: the machine has not said hello yet, or is gone. */
export function rootOn(project: Project, machine: Machine | null | undefined): string | null {
  const places = machine?.places;
  if (places === null || places === undefined) return null;
  const named = Object.hasOwn(places.roots, project.name) ? places.roots[project.name] : undefined;
  const made = machine?.checkouts[project.id]?.root;
  return named ?? made ?? `${places.workspace.replace(/(?<!\/)\/+$/u, '')}/${slugOf(project.name)}`;
}

/** Letters of a name that are kept. */
const SLUG_MAX = 60;

/**
 * A directory's name that follows from the project's, which is unique in a fleet. Names that would be one directory, also on a disk
 * that does not tell capitals from small letters, stay apart by a part of their digest.
 */
export function slugOf(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]*$/u.test(name) && name.length <= SLUG_MAX) return name;
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, SLUG_MAX);
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${words === '' ? 'project' : words}.${digest}`;
}
