// The projects of a schedule: one to three repositories, of which nothing is shared. With a chance of its own.
import { SeededRandom, SimGit } from '@drover/testkit';

/** Project, and the repository that all its clones come from. */
export interface SimProject {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  /** The machine that has the repository, by its number; null: all machines reach its address. */
  readonly home: number | null;
  /** Tells whether the project names that machine; else its agent runs in a root of the project. */
  readonly isHomeNamed: boolean;
  readonly origin: SimGit;
}

const NAMES = ['demo', 'shop', 'tool'] as const;

/** Inputs that determine a schedule's projects. */
interface Drawn {
  readonly seed: number;
  readonly machines: number;
  readonly uuid: () => string;
  /** Tells whether there may be more than one project. */
  readonly several: boolean;
}

/** Draws all projects, with one basename for all their directories, so that nothing may go by it. */
export function drawProjects({ seed, machines, uuid, several }: Drawn): readonly SimProject[] {
  const random = new SeededRandom(seed * 67_867_967 + 19);
  const count = several ? random.pick([1, 1, 2, 3]) : 1;
  return NAMES.slice(0, count).map((name, index) => {
    const isAddress = Math.floor(seed / 3) % 2 === (index === 0 ? 1 : 0);
    const home = isAddress ? null : index % machines;
    const source = home === null ? `https://git.example/${name}.git` : `/srv/${name}/app`;
    return {
      id: uuid(),
      name,
      source,
      home,
      isHomeNamed: index > 0 || random.chance(0.5),
      origin: new SimGit(undefined, index),
    };
  });
}

/** The project to which a commit or a save belongs; the first where it is of none. */
export function projectOf(projects: readonly SimProject[], commit: string): SimProject {
  const found = projects.find((_, index) => commit.startsWith(index.toString(16))) ?? projects[0];
  if (found === undefined) throw new Error('A schedule has a project');
  return found;
}

/** Roots of projects on a machine, as its agent tells them. */
export function rootsOn(projects: readonly SimProject[], machine: number): Readonly<Record<string, string>> {
  const here = projects.filter(({ home, isHomeNamed }) => home === machine && !isHomeNamed);
  return Object.fromEntries(here.map(({ name, source }) => [name, source]));
}
