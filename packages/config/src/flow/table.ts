// Reads one table of a flow key by key, and notes what is wrong with its line.
import { nearest } from '@drover/core';
import { lineOf } from '../load/toml-lines.ts';
import type { Reader } from './values.ts';

/** Notes problems with the line on which each stands. */
export class Problems {
  readonly found: { readonly line: number; readonly message: string }[] = [];
  readonly #lines: ReadonlyMap<string, number>;

  constructor(lines: ReadonlyMap<string, number>) {
    this.#lines = lines;
  }

  add(path: readonly string[], message: string): void {
    this.found.push({ line: lineOf(this.#lines, path) ?? 1, message });
  }

  /** Says that a name is not known, with the nearest that is. */
  unknown(path: readonly string[], what: string, known: readonly string[]): void {
    const near = nearest(path.at(-1) ?? '', known);
    this.add(path, `${what}; ${near === null ? `here may stand ${known.join(', ')}` : `did you mean "${near}"?`}`);
  }
}

/** A table of a flow. */
export class Table {
  readonly path: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly #problems: Problems;
  readonly #taken = new Set<string>();

  constructor(path: readonly string[], value: unknown, problems: Problems) {
    this.path = path;
    this.#problems = problems;
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isTable && value !== undefined) problems.add(path, `${path.join('.')}: expected a table`);
    this.values = isTable ? Object.fromEntries(Object.entries(value)) : {};
  }

  has(key: string): boolean {
    return Object.hasOwn(this.values, key);
  }

  /** Takes a key; the default if it is not there, or cannot be read. */
  take<T, D>(key: string, reader: Reader<T>, otherwise: D): T | D {
    this.#taken.add(key);
    if (!this.has(key)) return otherwise;
    const found = reader(this.values[key]);
    if (found.kind === 'read') return found.value;
    const shown = JSON.stringify(this.values[key]) ?? 'nothing';
    this.#problems.add([...this.path, key], `${[...this.path, key].join('.')}: expected ${found.words}, got ${shown}`);
    return otherwise;
  }

  /** Refuses keys that nobody took. */
  end(what: string): void {
    for (const key of Object.keys(this.values)) {
      if (this.#taken.has(key)) continue;
      this.#problems.unknown([...this.path, key], `"${key}" is no key of ${what}`, [...this.#taken]);
    }
  }
}
