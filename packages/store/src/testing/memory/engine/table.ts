// Shows a statement the rows that are committed, and those of its own transaction.
import { Blocked } from './transaction.ts';
import type { Touched, Transaction } from './transaction.ts';

/**
 * Holds rows by key. Outside of statements it is the map of committed rows. Rows are values that never change: a
 * change puts another row in their place.
 */
export class Table<K, V extends object> extends Map<K, V> implements Touched {
  readonly #name: string;
  readonly #current: () => Transaction | null;
  /** Changes that transactions did not commit yet; null: removed. */
  readonly #changes = new Map<Transaction, Map<K, V | null>>();
  readonly #holders = new Map<K | string, Transaction>();

  /** @param current The transaction whose statement runs. */
  constructor(name: string, current: () => Transaction | null) {
    super();
    this.#name = name;
    this.#current = current;
  }

  override get(key: K): V | undefined {
    const own = this.#own()?.get(key);
    return own === undefined ? super.get(key) : (own ?? undefined);
  }

  override has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  override get size(): number {
    return this.#seen()?.size ?? super.size;
  }

  override keys(): MapIterator<K> {
    return this.#seen()?.keys() ?? super.keys();
  }

  override values(): MapIterator<V> {
    return this.#seen()?.values() ?? super.values();
  }

  override entries(): MapIterator<[K, V]> {
    return this.#seen()?.entries() ?? super.entries();
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  /**
   * Holds a row, or the place of one that is not there yet, until the transaction ends. `key` may also be a value that must be
   * unique. Nothing happens outside of transactions.
   *
   * @throws {Blocked} when another transaction holds it.
   */
  lock(key: K | string): void {
    const tx = this.#current();
    if (tx === null) return;
    const holder = this.#holders.get(key);
    if (holder !== undefined && holder !== tx) throw new Blocked(holder, `${this.#name} ${String(key)}`);
    this.#holders.set(key, tx);
    tx.touched.add(this);
  }

  /** Tells whether a transaction other than the one that runs holds the row. */
  isHeld(key: K): boolean {
    const holder = this.#holders.get(key);
    return holder !== undefined && holder !== this.#current();
  }

  /** The keys of rows that other transactions have added, and that are not committed. */
  *keysUnderWay(): Generator<K> {
    for (const [tx, own] of this.#changes) {
      if (tx === this.#current()) continue;
      for (const [key, row] of own) if (row !== null && !super.has(key)) yield key;
    }
  }

  /** Puts a row in its place, or with null removes it. */
  change(key: K, row: V | null): void {
    const tx = this.#current();
    if (tx === null) {
      if (row === null) this.delete(key);
      else this.set(key, row);
      return;
    }
    this.lock(key);
    const own = this.#changes.get(tx) ?? new Map<K, V | null>();
    this.#changes.set(tx, own);
    const before = own.get(key);
    tx.undo.push(() => (before === undefined ? own.delete(key) : own.set(key, before)));
    own.set(key, row);
  }

  settle(tx: Transaction, how: 'kept' | 'undone'): void {
    const own = this.#changes.get(tx);
    this.#changes.delete(tx);
    for (const [key, holder] of this.#holders) if (holder === tx) this.#holders.delete(key);
    if (how === 'undone' || own === undefined) return;
    for (const [key, row] of own) {
      if (row === null) this.delete(key);
      else this.set(key, row);
    }
  }

  /** Tells whether the transaction changed something here. */
  isChangedBy(tx: Transaction): boolean {
    return (this.#changes.get(tx)?.size ?? 0) > 0;
  }

  #own(): Map<K, V | null> | undefined {
    // Skips the copy, because most of the time nothing has changed.
    if (this.#changes.size === 0) return undefined;
    const tx = this.#current();
    return tx === null ? undefined : this.#changes.get(tx);
  }

  /** Changes that the running statement sees beside what is committed. */
  #seen(): Map<K, V> | undefined {
    const own = this.#own();
    if (own === undefined || own.size === 0) return undefined;
    const seen = new Map(super.entries());
    for (const [key, row] of own) {
      if (row === null) seen.delete(key);
      else seen.set(key, row);
    }
    return seen;
  }
}

/** Reads the row and holds it until the end of the transaction. A row that is not there cannot be held. */
export function held<K, V extends object>(table: Table<K, V>, key: K): V | null {
  if (table.has(key)) table.lock(key);
  return table.get(key) ?? null;
}
