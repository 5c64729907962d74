/** Fills in a worker's options where a request does not set them. */
import type { ConfiguredOptions, Project, ProjectWorkers, WorkerOptions, WorkerRow } from '@drover/store';

/** Defaults of the configuration, and its options for this worker by name. */
export type WorkerDefaults = WorkerOptions & {
  /** Profiles that the configuration names beside those of the build and of the fleet. */
  readonly profiles: readonly string[];
};

/** Finds a document's options for a worker of this name. A name such as `constructor` finds nothing. */
export function saidOf({ named, defaults }: ProjectWorkers, name: string): ConfiguredOptions {
  const own = Object.hasOwn(named, name) ? named[name] : undefined;
  return own ?? defaults;
}

/** Reads the defaults from the project's document, else from the coordinator's own configuration. */
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

/** Does as `defaultsOf`, for an existing worker. */
export function defaultsOfWorker(
  projects: readonly Project[],
  { projectId, name }: Pick<WorkerRow, 'projectId' | 'name'>,
  own: (name: string) => WorkerDefaults,
): WorkerDefaults {
  const project = projects.find(({ id }) => id === projectId);
  return project === undefined ? own(name) : defaultsOf(project, own)(name);
}
