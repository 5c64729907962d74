/** Runs rows of due work of different owners at the same time, a few at once. */
import type { DueWork } from '@drover/store';
import { runOf } from '../loop/runs/due.ts';
import { inLanes } from '../sending/lanes.ts';

/**
 * Rows done side by side. A row mostly waits for the database, and each takes one of the replica's 10 connections. Source:
 * bench/RESULTS.md, lateness.
 */
export const LANES = 4;

/**
 * Does each row: rows of one worker one after the other, in the order given; rows of different workers side by side.
 *
 * @param doOne Must not throw.
 */
export async function sideBySide(rows: readonly DueWork[], doOne: (work: DueWork) => Promise<void>): Promise<void> {
  await inLanes(Map.groupBy(rows, ownerOf).values(), LANES, async (own) => {
    for (const work of own) await doOne(work);
  });
}

/** Names the owner of a row: its worker or its run. Any other row is its own owner. */
function ownerOf(work: DueWork): string {
  return work.workerId ?? runOf(work) ?? `${work.kind} ${work.key}`;
}
