/** Which rows of due work may be done at the same time? Those of different owners, a few at once. */
import type { DueWork } from '@drover/store';
import { inLanes } from '../sending/lanes.ts';

/**
 * Rows done side by side. Most of a row is waiting for the database, and each takes one of the replica's 10 connections.
 * Source: bench/RESULTS.md, lateness.
 */
export const LANES = 4;

/**
 * Does each row. Rows of one worker come one after the other, in the order given; those of different ones side by side.
 *
 * @param doOne Must not throw.
 */
export async function sideBySide(rows: readonly DueWork[], doOne: (work: DueWork) => Promise<void>): Promise<void> {
  await inLanes(Map.groupBy(rows, ownerOf).values(), LANES, async (own) => {
    for (const work of own) await doOne(work);
  });
}

/** A row of no worker is its own. */
function ownerOf({ kind, key, workerId }: DueWork): string {
  return workerId ?? `${kind} ${key}`;
}
