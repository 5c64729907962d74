/** Prints a command's answer: as JSON if wanted, else as a page. */
import type { Surroundings } from '../surroundings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Facts for writing a page. */
export interface Page {
  /** Epoch milliseconds, for ages. */
  readonly now: number;
  readonly terminal: Terminal;
}

/** Prints an answer. */
export function answer<T>({ terminal, now }: Surroundings, data: T, pageOf: (data: T, page: Page) => string): void {
  terminal.out(terminal.json ? JSON.stringify(data) : pageOf(data, { now: now(), terminal }));
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops keys without a value: absent and undefined are not the same to the API. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
