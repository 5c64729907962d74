// Simulates a person who moves workers between machines, and sometimes thinks better of it. Draws from a chance of its own: all else comes
// as without.
import type { MemoryDatabase } from '@drover/store/testing';
import { SeededRandom, VirtualIds } from '@drover/testkit';
import type { VirtualTime } from '@drover/testkit';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';
import { PERSON } from './recovery.ts';
import { refOf } from './ref.ts';

export interface MoverParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly tally: Tally;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  /** Tells whether people do nothing any more. */
  readonly isAway: () => boolean;
}

/** Schedules with several machines per schedule in which workers move. */
const MOVES_EVERY = 2;
/** Milliseconds between two moves, at most. */
const PACE_MS = 12_000;

/** Simulates a person who moves workers. */
export class Mover {
  readonly #parts: MoverParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;

  constructor(parts: MoverParts) {
    this.#parts = parts;
    this.#random = new SeededRandom(parts.seed * 86_028_121 + 7);
    this.#ids = new VirtualIds(parts.time.now, 0xace);
  }

  /** Tells whether workers move in this schedule. */
  isIn(machines: number): boolean {
    return machines > 1 && this.#parts.seed % MOVES_EVERY === 1;
  }

  /** Moves workers until people go away. */
  async live(): Promise<void> {
    const { time, isAway } = this.#parts;
    while (!isAway()) {
      await time.sleep(this.#random.int(1_000, PACE_MS));
      if (!isAway()) void this.#act();
    }
  }

  async #act(): Promise<void> {
    const { database, replicas, tally } = this.#parts;
    const random = this.#random;
    const rows = [...database.workers.values()];
    if (rows.length === 0) return;
    const row = random.pick(rows);
    const { state } = row;
    const name = refOf(database, row);
    const requestId = this.#ids.uuid();
    const replica = random.pick(replicas);
    try {
      if (state.move.kind !== 'none' && random.chance(0.5)) {
        await replica.serve(({ fleet }) => fleet.cancelMove({ requestId, name }, PERSON));
        return;
      }
      const machine = random.pick([...database.machines.values()].filter(({ isGateway }) => !isGateway)).name;
      const outcome = await replica.serve(({ fleet }) =>
        fleet.moveWorker({ requestId, name, machine, dryRun: random.chance(0.1) }, PERSON),
      );
      tally.log(`PERSON moves ${name} to ${machine}: ${outcome.kind === 'refused' ? outcome.code : 'ok'}`);
    } catch (error) {
      tally.log(`PERSON moves ${name}: ${String(error)}`);
    }
  }
}
