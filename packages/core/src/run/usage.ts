/** Counts what attempts use, by kind of token. */

/** Tokens and money that an attempt has used so far. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** US dollars; null: not told. */
  readonly money: number | null;
}
