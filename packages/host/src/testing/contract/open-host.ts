/** Holds what the tests of the contract get. */
import type { Host } from '../../host.ts';

/** A host to try, and a directory on it of the test's own. */
export interface Tried {
  readonly host: Host;
  /** Absolute, empty, without links. */
  readonly directory: string;
}

/**
 * Opens the host once for all tests; they close it where it can be closed. The host's machine is the one that runs the tests, whichever way leads
 * there, and its programs inherit `OWN=own` and `REMOVED=x`.
 */
export type OpenHost = () => Promise<Host & Partial<AsyncDisposable>>;

/** Limit of calls in tests that are not about the limit. */
export const WITHIN = { timeoutMs: 60_000 };

/** The text of bytes. */
export function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString();
}
