/** The worker of a scenario, and its settings. */

/** A worker that only one scenario uses. */
export interface OwnWorker {
  /** Name of the worker. */
  readonly worker: string;
  /** Further workers with the same settings and profile, for `act`. */
  readonly others?: readonly string[];
  /** Tables below `[workers.<worker>.policy]`, if the file's own numbers do not fit. */
  readonly policy?: string;
  /** Other lines of `[workers.<worker>]`. */
  readonly settings?: string;
  /** A profile of its own, and so an account of its own: the simulated agent with other arguments, or another program. */
  readonly profile?: OwnProfile;
}

/** Differences from the profile `sim`. `{dir}` stands for the directory of the stand. */
export interface OwnProfile {
  readonly args?: readonly string[];
  readonly program?: string;
}
