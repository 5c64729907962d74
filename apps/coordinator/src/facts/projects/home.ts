/** Finds the machine that has the repository of a project whose source is a directory: main is there, and the others ask it. */
import { isAddress } from '@drover/core';
import type { Machine, Project } from '@drover/store';

/**
 * Tells whether the repository lies on another machine than this one: on the machine that the project names (`repo.home`), else on the
 * machines whose agent runs in a Drover root of the project.
 */
export function isElsewhere({ name, source, config }: Project, machine: Machine | null | undefined): boolean {
  if (isAddress(source) || machine === null || machine === undefined || machine.places === null) return false;
  if (config.home !== undefined && config.home !== null) return config.home !== machine.name;
  return !Object.hasOwn(machine.places.roots, name);
}

/**
 * Tells whether two machines have the same main, so that work that one publishes is merged for the other. Two machines that both have a
 * repository of the project do not, until the project names one.
 */
export function haveOneMain(project: Project, fleet: readonly Machine[], both: readonly Machine[]): boolean {
  if (isAddress(project.source)) return true;
  return both.every(({ places }) => places !== null) && findHome(project, fleet).kind === 'found';
}

/** The machine with the repository, or the reason why there is none. */
export type FoundHome =
  | { readonly kind: 'found'; readonly machine: Machine }
  | { readonly kind: 'none'; readonly why: string };

/**
 * Finds the home machine. The refusal tells three cases apart: the named machine has not joined, no machine has the repository, or
 * several have it.
 */
export function findHome(project: Project, machines: readonly Machine[]): FoundHome {
  const { name, config, source } = project;
  const named = config.home ?? null;
  const homes = machines.filter(
    (machine) => machine.revokedAt === null && machine.places !== null && !isElsewhere(project, machine),
  );
  const [machine, ...others] = homes;
  if (machine !== undefined && others.length === 0) return { kind: 'found', machine };
  if (named !== null)
    return { kind: 'none', why: `The repository of "${name}" is on the machine "${named}", which has not joined` };
  const several = `Several machines have a repository of "${name}" (${homes.map((one) => one.name).join(', ')})`;
  const none = `No machine has the repository "${source}" of "${name}"`;
  return {
    kind: 'none',
    why: `${others.length > 0 ? several : none}: name the machine by repo.home in drover.toml, or "drover project edit ${name} --home MACHINE"`,
  };
}
