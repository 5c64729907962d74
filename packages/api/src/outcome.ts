/** What a use case answers: a value, or why it did not do what was asked. */

/** Why something was not done, for people, and in a word for programs. */
export interface Refusal {
  readonly kind: 'refused';
  /** `not-found` and `invalid` name the caller's mistake; any other code is a conflict with the present state. */
  readonly code: string;
  readonly message: string;
}

/** What a use case came to: its value, or why it was not done. Failures of the world are thrown. */
export type Outcome<T> = { readonly kind: 'ok'; readonly value: T } | Refusal;

/** The place of an item in a list that is sorted newest first: a page begins after one. `at` is epoch milliseconds. */
export interface ListPlace {
  readonly at: number;
  readonly id: string;
}
