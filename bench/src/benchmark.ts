// Defines a benchmark for its runner.

/** Options of a run: how thoroughly to measure. */
export interface Choice {
  /** A few rounds, to see that the benchmark still works and nothing is far off; its numbers are not worth quoting. */
  readonly smoke: boolean;
  /** Values of `--set NAME=VALUE`; each benchmark knows its own names. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A file `bench/NAME.ts` exports one as `benchmark`. */
export interface Benchmark {
  /** Description of the measurement, in one line. */
  readonly about: string;
  /** Measures, prints a table. @returns whether what is promised was kept. */
  run(choice: Choice): Promise<boolean>;
}
