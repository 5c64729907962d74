// Simulates a person who looks after the machines: says what they are for, closes one for a while, and has its workers leave it. Draws from
// a chance of its own.
import type { Fleet } from '@drover/api';
import type { MemoryDatabase } from '@drover/store/testing';
import { SeededRandom, VirtualIds } from '@drover/testkit';
import type { VirtualTime } from '@drover/testkit';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';
import { PERSON } from './recovery.ts';
import type { Terms } from './terms.ts';

export interface OwnerParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly tally: Tally;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  readonly terms: Terms;
  /** Tells whether people do nothing any more. */
  readonly isAway: () => boolean;
}

/** A person who wants a machine to get work again does not give up while replicas are down. */
const REOPEN_TRIES = 600;
/** Milliseconds between two acts, at most. */
const PACE_MS = 9_000;

/** Acts of the owner, by how often they come. */
const ACTS = { label: 4, cordon: 2, drain: 2, 'drain-soon': 2 } as const;

/** Simulates a person who looks after the machines. */
export class Owner {
  readonly #parts: OwnerParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;

  constructor(parts: OwnerParts) {
    this.#parts = parts;
    this.#random = new SeededRandom(parts.seed * 32_452_843 + 13);
    this.#ids = new VirtualIds(parts.time.now, 0xfee);
  }

  /** Looks after machines until people go away. No worker leaves a machine that gets no work. */
  async live(): Promise<void> {
    const { time, terms, isAway, database } = this.#parts;
    if (!terms.isPlain) for (const name of this.#names()) void this.#label(name);
    while (!isAway()) {
      await time.sleep(this.#random.int(500, PACE_MS));
      if (!isAway()) void this.#act();
    }
    for (const { name } of database.machines.values()) await this.#reopen(name);
  }

  #names(): readonly string[] {
    return [...this.#parts.database.machines.values()].flatMap(({ name, isGateway }) => (isGateway ? [] : [name]));
  }

  #act(): Promise<void> | undefined {
    const names = this.#names();
    if (names.length === 0) return undefined;
    const name = this.#random.pick(names);
    const act = this.#random.weighted(ACTS);
    if (act === 'label') return this.#parts.terms.isPlain ? undefined : this.#label(name);
    // A machine alone is closed for a moment at most.
    if (names.length === 1 && act !== 'cordon') return undefined;
    return this.#close(name, act);
  }

  async #label(name: string): Promise<void> {
    const { labels, capacity } = this.#parts.terms.draw();
    const said = `labels ${name} ${labels.join(',')} capacity ${capacity}`;
    if (await this.#ask(said, (fleet) => fleet.labelMachine({ name, labels, capacity }, PERSON)))
      this.#parts.tally.fault('note: a machine is labelled', said);
  }

  /** Closes a machine to new work for a while, and perhaps moves its workers away. */
  async #close(name: string, act: 'cordon' | 'drain' | 'drain-soon'): Promise<void> {
    const { tally, time } = this.#parts;
    const requestId = this.#ids.uuid();
    const deadlineMs = act === 'drain' ? null : this.#random.pick([2_000, 5_000, 20_000]);
    const isDone = await this.#ask(`${act} ${name}`, (fleet) =>
      act === 'cordon'
        ? fleet.cordonMachine({ name }, PERSON)
        : fleet.drainMachine({ requestId, name, deadlineMs }, PERSON),
    );
    if (isDone) tally.fault(CLOSED[act], name);
    await time.sleep(this.#random.int(2_000, 40_000));
    await this.#reopen(name);
  }

  async #reopen(name: string): Promise<void> {
    for (let tries = 0; tries < REOPEN_TRIES; tries += 1) {
      if (await this.#ask(`opens ${name}`, (fleet) => fleet.uncordonMachine({ name }, PERSON))) return;
      await this.#parts.time.sleep(1_000);
    }
  }

  /** @returns whether it is done, as far as the owner knows. */
  async #ask(what: string, run: (fleet: Fleet) => Promise<{ readonly kind: string }>): Promise<boolean> {
    const { replicas, tally } = this.#parts;
    try {
      const { kind } = await this.#random.pick(replicas).serve(({ fleet }) => run(fleet));
      tally.log(`OWNER ${what}: ${kind}`);
      return true;
    } catch (error) {
      tally.log(`OWNER ${what}: ${String(error)}`);
      return false;
    }
  }
}

const CLOSED = {
  cordon: 'note: a machine is cordoned',
  drain: 'note: a machine is drained',
  'drain-soon': 'note: a machine is drained by a deadline',
} as const;
