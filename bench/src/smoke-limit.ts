// Computes how long something may take on a machine that may be slower than the one of the figures.

/** Milliseconds that Node's own start takes at least on the machine whose figures stand in RESULTS.md. */
const NODE_STARTS_MS = 27;
/** The coordinator works for the answer too, and a few rounds may find no quiet moment: a whole run judges the limit itself. */
const SLACK = 1.3;

/**
 * A limit in milliseconds as a smoke run judges it: where Node alone starts more slowly, it is as much longer. A few rounds
 * on whatever machine say whether the program became slower, not whether that machine is fast enough for people.
 *
 * @param nodeMs the least that `node -e 0` took in the same run.
 */
export function smokeLimit(limitMs: number, nodeMs: number): number {
  return limitMs * SLACK * Math.max(1, nodeMs / NODE_STARTS_MS);
}
