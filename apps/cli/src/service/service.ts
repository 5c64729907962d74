/** What keeps `drover agent` running on a machine: the file that says so, and the commands that put it into force. */

/** Where and for whom the agent runs. */
export interface ServiceParts {
  /** Words that start drover. */
  readonly program: readonly string[];
  /** `PATH`: a service does not read the files of a person's shell, and the programs of agents must be on it. */
  readonly searchPath: string;
  /** Other variables that Drover goes by here, such as DROVER_DATA_DIR. */
  readonly variables: Readonly<Record<string, string>>;
  readonly home: string;
  /** The directory for a person's settings, `~/.config` as a rule. */
  readonly configHome: string;
  readonly user: string;
  readonly uid: number;
  readonly version: string;
}

/** One command. `mayFail`: what it does is worth a word only; `advice` says what to do about it. */
export interface ServiceStep {
  readonly words: readonly [program: string, ...args: string[]];
  readonly mayFail?: boolean;
  readonly advice?: string;
}

/** One kind of service. */
export interface Service {
  readonly file: string;
  readonly text: string;
  readonly install: readonly ServiceStep[];
  readonly uninstall: readonly ServiceStep[];
  /** Stops the agent until `start`, or the next start of the machine. */
  readonly stop: ServiceStep;
  readonly start: ServiceStep;
  readonly status: ServiceStep;
  /** What the answer of `status` says; null: it is not running. */
  readonly read: (answer: string) => Running | null;
}

/** A service that runs. */
export interface Running {
  readonly state: string;
  readonly pid: number | null;
}
