/** Names that are new in a run and the same in every run. */

/** Makes UUIDs of version 7 from a clock and a count, and secrets that are none. `lane` keeps two makers apart. */
export class VirtualIds {
  readonly #now: () => number;
  readonly #lane: number;
  #count = 0;

  constructor(now: () => number, lane: number) {
    this.#now = now;
    this.#lane = lane;
  }

  readonly uuid = (): string => {
    this.#count += 1;
    const time = hex(this.#now(), 12);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(this.#lane, 3)}-8000-${hex(this.#count, 12)}`;
  };

  readonly secret = (): string => {
    this.#count += 1;
    return `secret-${hex(this.#lane, 4)}-${hex(this.#count, 20)}`;
  };
}

function hex(value: number, digits: number): string {
  return Math.max(0, Math.floor(value)).toString(16).padStart(digits, '0').slice(-digits);
}
