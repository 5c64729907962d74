/** Computes how far the clock of a machine is from the one here, by readings of it. */
import type { TimeReading } from '../../port/machine.ts';

/** Milliseconds that a time in whole seconds may be older than it says: systems tell the second of their last tick. */
const SECOND_MS = 1_010;

/** The time of a machine, read between two moments of ours: it was within `from` and `until`. */
interface Range extends Pick<TimeReading, 'before' | 'after'> {
  readonly from: number;
  readonly until: number;
}

/**
 * Computes the offset by a single reading.
 *
 * @param text Seconds, with their parts where the system tells them.
 * @returns milliseconds by which the other clock is ahead; 0 while the reading cannot tell.
 */
export function offsetOf(text: string, moments: Pick<TimeReading, 'before' | 'after'>): number {
  return offsetAfter(0, { ...rangeOf(text), ...moments });
}

/** The offset of one machine, by all that it said of its time: what it says costs nothing where it comes with another answer. */
export class ClockOffset {
  #ms = 0;

  /** Milliseconds that its clock is ahead. */
  get ms(): number {
    return this.#ms;
  }

  /** @param text As of {@link offsetOf}. */
  noteText(text: string, moments: Pick<TimeReading, 'before' | 'after'>): void {
    this.#ms = offsetAfter(this.#ms, { ...rangeOf(text), ...moments });
  }

  note({ second, before, after }: TimeReading): void {
    this.#ms = offsetAfter(this.#ms, { from: second * 1_000, until: second * 1_000 + SECOND_MS, before, after });
  }
}

function rangeOf(text: string): Pick<Range, 'from' | 'until'> {
  const from = Number.parseFloat(text) * 1_000;
  return { from, until: /^\d+\.\d+$/u.test(text) ? from : from + SECOND_MS };
}

/**
 * Keeps the known offset where the reading allows it, and follows as far as it must where clocks drift apart: so readings in whole seconds come
 * closer to the truth, one after the other. An offset far off means that the clock was set: then only the reading counts.
 */
function offsetAfter(known: number, { from, until, before, after }: Range): number {
  const least = from - after;
  const most = until - before;
  // The reading was no number, or the clock here was set back meanwhile.
  if (!(least <= most) || !Number.isFinite(most - least)) return known;
  if (least <= known && known <= most) return known;
  const nearest = known < least ? Math.ceil(least) : Math.floor(most);
  if (Math.abs(nearest - known) <= most - least) return nearest;
  return least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2);
}
