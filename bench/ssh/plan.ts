// Defines how much is measured of machines over SSH, and the rows of the result.

/** Row of the table. `met`: null where nothing is promised. */
export interface Row {
  readonly what: string;
  readonly found: string;
  readonly beside: string;
  readonly aim: string;
  readonly met: boolean | null;
}

export interface Plan {
  readonly commands: number;
  /** Each starts a program and logs in. */
  readonly programs: number;
  readonly far: number;
  readonly panes: number;
  readonly hosts: number;
  readonly seconds: number;
  /** Hosts that a person adds. */
  readonly added: number;
}
