/** Services that keep `drover server agent` running on a machine: the file, and the commands that install it. */

/** Place and user of the agent. */
export interface ServiceParts {
  /** Words that start drover. */
  readonly program: readonly string[];
  /** `PATH`: a service does not read the files of a person's shell, and the programs of agents must be on it. */
  readonly searchPath: string;
  /** Other variables that Drover needs here, such as DROVER_DATA_DIR. */
  readonly variables: Readonly<Record<string, string>>;
  readonly home: string;
  /** The directory for a person's settings, `~/.config` as a rule. */
  readonly configHome: string;
  readonly user: string;
  readonly uid: number;
  readonly version: string;
}

/** A command. `mayFail`: a failure is only reported; `advice`: remedy for a failure. */
export interface ServiceStep {
  readonly words: readonly [program: string, ...args: string[]];
  readonly mayFail?: boolean;
  readonly advice?: string;
}

/** A kind of service. */
export interface Service {
  readonly file: string;
  readonly text: string;
  readonly install: readonly ServiceStep[];
  readonly uninstall: readonly ServiceStep[];
  /** Stops the agent until `start`, or the next start of the machine. */
  readonly stop: ServiceStep;
  readonly start: ServiceStep;
  readonly status: ServiceStep;
  /** Parses the answer of `status`; null: the service is not running. */
  readonly read: (answer: string) => Running | null;
}

/** A running service. */
export interface Running {
  readonly state: string;
  readonly pid: number | null;
}
