// Reviews in memory: the same as sql/reviews.ts.
import type { ReviewRow } from '../../port/reviews.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Takes the place of what the reviewer saw of the worker before. */
export function saveReview(db: MemoryDatabase, review: ReviewRow): void {
  if (db.workers.has(review.workerId)) db.put(db.reviews, keyOf(review.workerId, review.reviewer), review);
}

/** Lists the work that a reviewer has seen, the newest first. */
export function listReviews(db: MemoryDatabase, reviewer: string): readonly ReviewRow[] {
  return [...db.reviews.values()]
    .filter((row) => row.reviewer === reviewer)
    .toSorted((one, other) => other.reviewedAt - one.reviewedAt || (one.workerId < other.workerId ? -1 : 1));
}

export function findReview(db: MemoryDatabase, workerId: string, reviewer: string): ReviewRow | null {
  return db.reviews.get(keyOf(workerId, reviewer)) ?? null;
}

/** Removes all reviews of a worker: they do not count for its next task. */
export function dropReviews(db: MemoryDatabase, workerId: string): void {
  for (const [key, row] of db.reviews) if (row.workerId === workerId) db.remove(db.reviews, key);
}

function keyOf(workerId: string, reviewer: string): string {
  return `${workerId} ${reviewer}`;
}
