// Reports an observer's sightings to its parent. Reports seldom: a message of its own for each state was a seventh of all that Drover's
// observer cost, and is no part of looking. Each sighting carries its own time, so nothing is measured later for it.
import { now } from '../src/wait.ts';

/** Sighting of an observer. */
export type Sighting =
  | { readonly kind: 'state'; readonly pane: string; readonly state: number; readonly at: number }
  | { readonly kind: 'exit'; readonly pane: string; readonly at: number; readonly cause: string };

/** Message to the parent process. */
export interface Told {
  readonly sightings: readonly Sighting[];
  /** Looks at a pane until a moment, counted. */
  readonly readings: { readonly count: number; readonly at: number };
}

const EVERY_MS = 1_000;

/** Collects what one observer sees and tells it once a second. */
export class Teller {
  readonly #timer = setInterval(() => this.#flush(), EVERY_MS);
  #sightings: Sighting[] = [];
  #readings = 0;

  /** Counts a look at a pane. */
  observed(): void {
    this.#readings += 1;
  }

  /** Takes what was seen. The end of a process is reported at once: the parent waits for it. */
  saw(sighting: Sighting): void {
    this.#sightings.push(sighting);
    if (sighting.kind === 'exit') this.#flush();
  }

  /** Tells what is left and lets go of the parent. */
  close(): void {
    clearInterval(this.#timer);
    this.#flush();
    process.disconnect();
  }

  #flush(): void {
    const sightings = this.#sightings;
    this.#sightings = [];
    process.send?.({ sightings, readings: { count: this.#readings, at: now() } } satisfies Told);
  }
}
