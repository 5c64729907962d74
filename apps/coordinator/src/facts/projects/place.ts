/** Finds a project's directory on a machine: each machine has its own workspace, and nothing needs equal paths. */
import { createHash } from 'node:crypto';
import type { Machine, Project } from '@drover/store';
import { isElsewhere } from './home.ts';

/** A project on one machine: `root` is its checkout there; `elsewhere` says that its source is on another machine. */
export type Placed = Omit<Project, 'root'> & { readonly root: string; readonly elsewhere: boolean };

/**
 * Places a project. The machine's owner comes first (`[agent.checkouts]`, or the root in which the agent was started), then the checkout
 * that the machine made, then `<workspace>/<slug>`.
 */
export function placed(project: Project, machine: Machine | null | undefined): Placed {
  return { ...project, root: rootOn(project, machine) ?? '', elsewhere: isElsewhere(project, machine) };
}

/** @returns null when the machine has not said hello yet, or is gone. */
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
 * Derives a directory's name from the project's name, which is unique in a fleet. A part of their digest separates names that would share
 * a directory, also on a disk that ignores case.
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
