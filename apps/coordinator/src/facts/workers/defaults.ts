/** What a worker gets where a request does not say otherwise. */
import type { ConfiguredOptions, Project, ProjectWorkers, WorkerOptions, WorkerRow } from '@drover/store';

/** From the configuration: defaults, and what it says of this worker by name. */
export type WorkerDefaults = WorkerOptions & {
  /** Profiles that the configuration names beside those of the build and of the fleet. */
  readonly profiles: readonly string[];
};

/** What a document says of a worker of this name. A name such as `constructor` is one that no table has. */
export function saidOf({ named, defaults }: ProjectWorkers, name: string): ConfiguredOptions {
  const own = Object.hasOwn(named, name) ? named[name] : undefined;
  return own ?? defaults;
}

/** By the project's document, else by the coordinator's own configuration. */
export function defaultsOf(
  { config: { workers } }: Pick<Project, 'config'>,
  own: (name: string) => WorkerDefaults,
): (name: string) => WorkerDefaults {
  return (name) => {
    const { profiles, ...options } = own(name);
    const said: WorkerOptions = workers === undefined ? options : saidOf(workers, name);
    return { ...said, profiles };
  };
}

/** As `defaultsOf`, for a worker that is there. */
export function defaultsOfWorker(
  projects: readonly Project[],
  { projectId, name }: Pick<WorkerRow, 'projectId' | 'name'>,
  own: (name: string) => WorkerDefaults,
): WorkerDefaults {
  const project = projects.find(({ id }) => id === projectId);
  return project === undefined ? own(name) : defaultsOf(project, own)(name);
}
