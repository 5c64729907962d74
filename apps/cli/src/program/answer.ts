/** How a command prints its answer: as JSON where that is wanted, else as a page. */
import type { Surroundings } from '../surroundings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What a page is written with. */
export interface Page {
  /** Epoch milliseconds, for ages. */
  readonly now: number;
  readonly terminal: Terminal;
}

/** Prints one answer. */
export function answer<T>({ terminal, now }: Surroundings, data: T, pageOf: (data: T, page: Page) => string): void {
  terminal.out(terminal.json ? JSON.stringify(data) : pageOf(data, { now: now(), terminal }));
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without the keys that have no value: absent and undefined are not the same to the API. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
