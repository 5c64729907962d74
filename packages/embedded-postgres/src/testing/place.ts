/**
 * Chooses where tests make their directories: in memory where there is room. The tests of the machine agent take a
 * tenth less of the processor's time there.
 */
import { tmpdir } from 'node:os';

/** Names the run's directory in memory to the tests; unset where there is none (global-setup.ts). */
export const MEMORY_VARIABLE = 'TEST_MEMORY_DIR';

/**
 * The directory in which a test makes its own; it goes with the run.
 *
 * @param caged Whether its programs run in a cage, which has a /dev of its own, and with it no memory of others.
 */
export function placeOfTests({ caged = false }: { readonly caged?: boolean } = {}): string {
  return caged ? tmpdir() : (process.env[MEMORY_VARIABLE] ?? tmpdir());
}
