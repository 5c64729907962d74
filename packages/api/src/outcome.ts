/** Outcomes of use cases: a value, or the reason for a refusal. */

/** Reason for a refusal, as text for people and as a code for programs. */
export interface Refusal {
  readonly kind: 'refused';
  /** `not-found` and `invalid` name the caller's mistake; any other code is a conflict with the present state. */
  readonly code: string;
  readonly message: string;
}

/** The outcome of a use case: its value, or the reason for its refusal. Failures of the world are thrown. */
export type Outcome<T> = { readonly kind: 'ok'; readonly value: T } | Refusal;

/** The place of an item in a list that is sorted newest first; a page begins after a place. `at` is epoch milliseconds. */
export interface ListPlace {
  readonly at: number;
  readonly id: string;
}
