// Somebody who moves workers between machines, and sometimes thinks better of it. With a chance of its own: all else comes as without.
import type { MemoryDatabase } from '@drover/store/testing';
import { SeededRandom, VirtualIds } from '@drover/testkit';
import type { VirtualTime } from '@drover/testkit';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';
import { PERSON } from './recovery.ts';

/** What the mover works with. */
export interface MoverParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly tally: Tally;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  /** Whether people do nothing any more. */
  readonly isAway: () => boolean;
}

/** Of so many schedules with several machines, workers move in one. */
const MOVES_EVERY = 2;
/** A person who wants a machine to get work again does not give up while replicas are down. */
const REOPEN_TRIES = 600;
/** Milliseconds between two moves, at most. */
const PACE_MS = 12_000;

/** One person, who moves workers. */
export class Mover {
  readonly #parts: MoverParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;

  constructor(parts: MoverParts) {
    this.#parts = parts;
    this.#random = new SeededRandom(parts.seed * 86_028_121 + 7);
    this.#ids = new VirtualIds(parts.time.now, 0xace);
  }

  /** Whether workers move in this schedule. */
  isIn(machines: number): boolean {
    return machines > 1 && this.#parts.seed % MOVES_EVERY === 1;
  }

  /** Goes on until people go away. */
  async live(): Promise<void> {
    const { time, isAway } = this.#parts;
    while (!isAway()) {
      await time.sleep(this.#random.int(1_000, PACE_MS));
      if (isAway()) break;
      void (this.#random.chance(0.12) ? this.#close() : this.#act());
    }
    // Nobody leaves a machine that gets no work.
    for (const { name } of this.#parts.database.machines.values()) await this.#reopen(name);
  }

  /** A machine gets no new work for a while, and perhaps its workers leave it. */
  async #close(): Promise<void> {
    const { database, replicas, tally, time } = this.#parts;
    const random = this.#random;
    const machines = [...database.machines.values()];
    if (machines.length === 0) return;
    const { name } = random.pick(machines);
    const deadlineMs = random.pick([null, 5_000, 20_000]);
    const orderId = this.#ids.uuid();
    const isDrain = random.chance(0.7);
    try {
      await random
        .pick(replicas)
        .serve(({ fleet }) =>
          isDrain ? fleet.drainMachine({ orderId, name, deadlineMs }, PERSON) : fleet.cordonMachine({ name }, PERSON),
        );
      tally.fault(isDrain ? 'note: a machine is drained' : 'note: a machine is cordoned', name);
    } catch (error) {
      tally.log(`PERSON closes ${name}: ${String(error)}`);
    }
    await time.sleep(random.int(2_000, 40_000));
    await this.#reopen(name);
  }

  async #reopen(name: string): Promise<void> {
    const { replicas, tally, time } = this.#parts;
    for (let tries = 0; tries < REOPEN_TRIES; tries += 1) {
      try {
        await this.#random.pick(replicas).serve(({ fleet }) => fleet.uncordonMachine({ name }, PERSON));
        return;
      } catch (error) {
        tally.log(`PERSON opens ${name}: ${String(error)}`);
        await time.sleep(1_000);
      }
    }
  }

  async #act(): Promise<void> {
    const { database, replicas, tally } = this.#parts;
    const random = this.#random;
    const rows = [...database.workers.values()];
    if (rows.length === 0) return;
    const { name, state } = random.pick(rows);
    const orderId = this.#ids.uuid();
    const replica = random.pick(replicas);
    try {
      if (state.move.kind !== 'none' && random.chance(0.5)) {
        await replica.serve(({ fleet }) => fleet.cancelMove({ orderId, name }, PERSON));
        return;
      }
      const machine = random.pick([...database.machines.values()]).name;
      const outcome = await replica.serve(({ fleet }) =>
        fleet.moveWorker({ orderId, name, machine, dryRun: random.chance(0.1) }, PERSON),
      );
      tally.log(`PERSON moves ${name} to ${machine}: ${outcome.kind === 'refused' ? outcome.code : 'ok'}`);
    } catch (error) {
      tally.log(`PERSON moves ${name}: ${String(error)}`);
    }
  }
}
