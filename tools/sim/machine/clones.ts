/** Holds a simulated machine's clones, one of each project. */
import type { SimGit } from '@drover/testkit';
import type { SimProject } from '../coordinator/projects.ts';

/** The clones of one machine. */
export class Clones {
  readonly #byProject: ReadonlyMap<string, SimGit>;

  constructor(projects: readonly SimProject[]) {
    this.#byProject = new Map(projects.map(({ id, origin }) => [id, origin.cloneElsewhere()]));
  }

  /** @throws Error for a project that no schedule has. */
  of(projectId: string): SimGit {
    const clone = this.#byProject.get(projectId);
    if (clone === undefined) throw new Error(`No clone is of the project ${projectId}`);
    return clone;
  }

  /** The project of the first. */
  get firstId(): string {
    return [...this.#byProject.keys()][0] ?? '';
  }

  all(): readonly SimGit[] {
    return [...this.#byProject.values()];
  }
}
