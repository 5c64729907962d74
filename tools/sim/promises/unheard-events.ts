// The lines of the decision log that were not read yet, each once.
import type { EventRow } from '@drover/store';

/** An id is given before its transaction commits: so far from the newest that was read, others may come later. */
const LATE_IDS = 64;

/** Remembers what was read. */
export class UnheardEvents {
  /** Highest id that was read. Ids say what came later, whatever the clocks of replicas say. */
  newest = 0;
  readonly #heard = new Set<number>();

  *read<Row extends EventRow>(events: ReadonlyMap<number, Row>): Generator<Row> {
    if (events.size === this.#heard.size) return;
    for (let id = Math.max(1, this.newest - LATE_IDS); events.size > 0 && id <= this.newest + LATE_IDS; id += 1) {
      const row = events.get(id);
      if (row === undefined || this.#heard.has(id)) continue;
      this.#heard.add(id);
      this.newest = Math.max(this.newest, id);
      yield row;
    }
  }
}
