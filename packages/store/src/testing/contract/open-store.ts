/** Gives a test of the contract its store. */
import type { Store } from '../../port/store.ts';

/** A store of a test, empty at its start. */
export type OpenStore = () => Promise<{ readonly store: Store } & AsyncDisposable>;
