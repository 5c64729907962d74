// Checks the promises about drains: each ends when no worker is left that could go, and says until then what every worker there waits for.
import type { MemoryDatabase } from '@drover/store/testing';
import type { Machine, WorkerRow } from '@drover/store';
import { count, makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';

const PROMISED = {
  left: 'a drain is over only when every worker that is up has left',
  said: 'a drain says what each worker waits for that is still there',
} as const;

/** The fleet is read before a step of a drain is stored: what has changed since is for the next step, in milliseconds. */
const UNDER_WAY_MS = 30_000;

export interface DrainParts {
  readonly database: MemoryDatabase;
  readonly tally: Tally;
  readonly now: () => number;
}

/** Watches one schedule. */
export class DrainChecks {
  readonly #parts: DrainParts;
  readonly #rows = new Map<string, Machine>();
  readonly #check: Check<typeof PROMISED>;

  constructor(parts: DrainParts) {
    this.#parts = parts;
    this.#check = makeCheck(this.#parts.tally, PROMISED);
  }

  /** Checks each commit. */
  committed(): void {
    for (const machine of this.#parts.database.machines.values()) {
      const before = this.#rows.get(machine.id)?.cordon?.drain;
      this.#rows.set(machine.id, machine);
      const drain = machine.cordon?.drain;
      // A step of it was stored, and not its begin.
      if (drain != null && drain !== before && drain.id === before?.id) this.#checkStep(machine);
    }
  }

  #checkStep({ id, name, cordon }: Machine): void {
    const { doneAt = null, waits = {} } = cordon?.drain ?? {};
    for (const row of this.#parts.database.workers.values()) {
      if (row.machineId !== id || this.#isNews(row)) continue;
      const { wanted } = row.state.lifecycle;
      if (doneAt !== null)
        this.#check('left', wanted === 'down', `${name}: its drain is over, and ${row.name} is there`);
      const isSaid = (waits[row.name] ?? '') !== '';
      this.#check('said', isSaid, `${name}: its drain does not say what ${row.name} waits for`);
    }
    if (doneAt !== null) count(this.#parts.tally.faults, 'note: a drain is over');
  }

  #isNews({ updatedAt }: WorkerRow): boolean {
    return this.#parts.now() - updatedAt < UNDER_WAY_MS;
  }
}
