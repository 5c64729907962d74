/** Finds the progress on a screen, and names it. Spinners, clocks and counters are no progress. */
import { RowReader } from './ansi.ts';
import type { Row } from './ansi.ts';
import { hashOf } from './hash.ts';

/**
 * Remembers the previous reads of one life of a pane, given along with each look at it: most looks find only a spinner in another place, and
 * rows that stay the same are not read again. Beliefs do not depend on it.
 */
export class PaneReader {
  readonly rows = new RowReader();
  readonly progress = new ProgressReader();
}

/** Names the progress on one screen of a pane after another; what did not change is not looked through again. */
class ProgressReader {
  #noise: readonly RegExp[] = [];
  #quiet = new Map<Row, string>();
  #last = { text: '', name: hashOf('') };

  /** The name changes when rows that are more than noise do. */
  nameOf(noise: readonly RegExp[], rows: readonly Row[]): string {
    const known = this.#noise === noise ? this.#quiet : new Map<Row, string>();
    this.#noise = noise;
    const texts = rows.map((row) => [row, known.get(row) ?? without(noise, row.text)] as const);
    this.#quiet = new Map(texts);
    const text = texts.flatMap(([, words]) => (words.trim() === '' ? [] : [words])).join('\n');
    if (text !== this.#last.text) this.#last = { text, name: hashOf(text) };
    return this.#last.name;
  }
}

function without(noise: readonly RegExp[], text: string): string {
  return noise.reduce((left, one) => left.replace(one, ''), text);
}
