// Reads and writes what each person has seen of each worker's work.
import { sql } from 'kysely';
import type { ReviewRow } from '../port/reviews.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';
import { find, list, removal } from './steps/rows.ts';

/** Replaces what the reviewer saw of the worker before. A worker that was removed meanwhile has no reviews. */
export async function saveReview(db: Db, review: ReviewRow): Promise<void> {
  const { workerId, reviewer, base, head, tree, reviewedAt } = review;
  await send(
    db,
    sql`insert into reviews (worker_id, reviewer, base, head, tree, reviewed_at)
    select id, ${reviewer}, ${base}, ${head}, ${tree}, ${instant(reviewedAt)} from workers where id = ${workerId}
    on conflict (worker_id, reviewer) do update set base = excluded.base, head = excluded.head, tree = excluded.tree,
      reviewed_at = excluded.reviewed_at`,
  );
}

/** Lists the work that a reviewer has seen, the newest first. */
export async function listReviews(db: Db, reviewer: string): Promise<readonly ReviewRow[]> {
  return list(db, 'reviews', { reviewer }, { end: sql`order by reviewed_at desc, worker_id` });
}

/** Finds what a reviewer has seen of a worker's present work; null: nothing. */
export async function findReview(db: Trx, workerId: string, reviewer: string): Promise<ReviewRow | null> {
  return find(db, 'reviews', { workerId, reviewer });
}

/** Removes all reviews of a worker: they do not count for its next task. */
export async function dropReviews(db: Trx, workerId: string): Promise<void> {
  await send(db, removal('reviews', { workerId }));
}
