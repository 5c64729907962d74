// Draws what machines are for, and what workers ask of them: labels, room and roles. Draws from a chance of its own, where a schedule has
// any.
import { SeededRandom } from '@drover/testkit';

/** Schedules per schedule with machines without labels and limits, and workers that ask for nothing. */
const PLAIN_EVERY = 3;
const LABELS = ['fast', 'gpu'] as const;
const ROLES = ['developer', 'reviewer'] as const;

/** Terms asked for a new worker. */
export interface Wish {
  readonly labels?: string[];
  readonly role?: string;
}

/** Terms that people give to machines and workers in one schedule. */
export class Terms {
  readonly #random: SeededRandom;
  readonly #isPlain: boolean;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed * 49_979_687 + 17);
    this.#isPlain = seed % PLAIN_EVERY === 0;
  }

  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** Draws the labels and the capacity of a machine from now on. */
  draw(): { readonly labels: string[]; readonly capacity: number | null } {
    const labels = LABELS.filter(() => this.#random.chance(0.7));
    return { labels, capacity: this.#random.pick([null, null, 1, 2, 3, 5]) };
  }

  /** Draws a worker's wish; most workers go anywhere. */
  wish(): Wish {
    if (this.#isPlain) return {};
    return {
      ...(this.#random.chance(0.3) && { labels: [this.#random.pick(LABELS)] }),
      ...(this.#random.chance(0.3) && { role: this.#random.pick(ROLES) }),
    };
  }

  /** The role that a task asks for; absent: any. */
  role(): { readonly role?: string } {
    return !this.#isPlain && this.#random.chance(0.4) ? { role: this.#random.pick(ROLES) } : {};
  }
}
