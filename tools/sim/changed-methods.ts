/** Changes methods of the store's transactions, for builds that break a promise. */
import type { StoreTransaction } from '@drover/store';

/** Builds a transaction of which some methods are the test's, and the rest those of `tx`. */
export function changedMethods(tx: StoreTransaction, own: Partial<StoreTransaction>): StoreTransaction {
  return Object.create(tx, Object.getOwnPropertyDescriptors(own)) as StoreTransaction;
}
