// Counts what happened in a schedule, and keeps a timeline of it where one is wanted.

/** Counts by name. */
export type Counts = Map<string, number>;

/** The result of one schedule. */
export class Tally {
  readonly faults: Counts = new Map();
  readonly recoveries: Counts = new Map();
  readonly rules: Counts = new Map();
  readonly statuses: Counts = new Map();
  /** Checks of each promise, counted. */
  readonly checks: Counts = new Map();
  /** Records that decisions wrote down, by kind. */
  readonly records: Counts = new Map();
  violation: string | null = null;
  readonly #now: () => number;
  readonly #lines: string[] | null;
  readonly #startedAt: number;

  constructor(now: () => number, { keepLines }: { readonly keepLines: boolean }) {
    this.#now = now;
    this.#startedAt = now();
    this.#lines = keepLines ? [] : null;
  }

  get timeline(): readonly string[] {
    return this.#lines ?? [];
  }

  get isTraced(): boolean {
    return this.#lines !== null;
  }

  log(line: string): void {
    this.#lines?.push(`${((this.#now() - this.#startedAt) / 1_000).toFixed(3).padStart(9)} ${line}`);
  }

  fault(kind: string, detail = ''): void {
    count(this.faults, kind);
    this.log(`! ${kind} ${detail}`);
  }

  /** The first broken promise ends the schedule. */
  broken(what: string): void {
    this.log(`VIOLATION ${what}`);
    this.violation ??= what;
  }
}

/** Judges a promise, by its key in a table of them. */
export type Check<Promised> = (promise: keyof Promised, holds: boolean, what: string) => void;

/** Counts each check of the promises, and notes the first that does not hold. */
export function makeCheck<Promised extends Readonly<Record<string, string>>>(
  tally: Pick<Tally, 'checks' | 'broken'>,
  promised: Promised,
): Check<Promised> {
  return (promise, holds, what) => {
    count(tally.checks, promised[promise] ?? '');
    if (!holds) tally.broken(what);
  };
}

/** Adds one to a count. */
export function count(counts: Counts, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

/** Adds all of one to another. */
export function addAll(sum: Counts, part: Counts): void {
  for (const [name, by] of part) count(sum, name, by);
}
