/** Keeps the commit that a person has reviewed, which their accept therefore means (docs/adr/0016-merges-are-candidates.md). */
import type { Pin } from '@drover/core';
import type { Actor, Fleet, Refusal } from '@drover/api';
import type { ReviewRow, WorkerRow } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { findForReview, findWorker, readReviewable, viewWorker } from '../../facts/workers/find.ts';
import type { Found } from '../../facts/workers/find.ts';
import { workOf } from '../../facts/workers/work-view.ts';
import { ask } from '../../facts/machines/query.ts';
import { refused } from '../../context/refused.ts';

/** Asks the machine for the diff, and notes the commit that the caller was shown. */
export async function review(
  ctx: Context,
  options: { readonly commands: Waiters },
  { name, stat = false, sides: wantsSides = false, by }: Parameters<Fleet['review']>[0] & { readonly by: Actor },
): ReturnType<Fleet['review']> {
  const found = name === undefined ? await findForReview(ctx, by) : await findWorker(ctx, by, name);
  if (found.kind === 'refused') return found;
  const { row } = found;
  const { worktree, lifecycle } = row.state;
  const { place, git } = worktree;
  if (place.kind === 'none' || git === null || git.ahead === 0)
    return refused('nothing-to-review', `${row.name} is ${lifecycle.status} and has no commits to review`);
  const query = { kind: 'read-diff', began: place.base, stat, sides: wantsSides } as const;
  const answer = await ask(ctx, options, { row, query });
  if (answer.kind !== 'diff')
    return refused('machine', 'message' in answer ? answer.message : 'The machine answered another question');
  const { base, head, tree, dropped = null, commits, text: diff, notes, standing, sides } = answer;
  const seen = { workerId: row.id, reviewer: by.id, base, head, tree };
  await ctx.store.saveReview({ ...seen, reviewedAt: ctx.clock.now() });
  const shown = { base, head, tree, dropped, commits, diff, notes, standing, ...(sides !== undefined && { sides }) };
  return { kind: 'ok', value: { worker: await viewWorker(ctx, by, row), ...shown, work: workOf(row.state) } };
}

/** Finds the worker of that name, or the caller's default. */
export async function findNamedOrReviewed(
  ctx: Context,
  { name, by }: { readonly name: string | undefined; readonly by: Actor },
): Promise<Found> {
  if (name !== undefined) return findWorker(ctx, by, name);
  return findReviewed(await readReviewable(ctx, by), await ctx.store.listReviews(by.id));
}

/**
 * Finds the default of accept and reject without a name: the worker that the caller reviewed last if its work still waits, else the only
 * one that waits if the caller has reviewed it. `reviews` are the caller's, the newest first.
 */
function findReviewed(waiting: readonly WorkerRow[], reviews: readonly ReviewRow[]): Found {
  const [only] = waiting;
  if (only === undefined) return refused('which-worker', 'No worker waits for review');
  const isReviewed = (id: string): boolean => reviews.some(({ workerId }) => workerId === id);
  const last = waiting.find(({ id }) => id === reviews[0]?.workerId);
  if (last !== undefined) return { kind: 'found', row: last };
  if (waiting.length === 1 && isReviewed(only.id)) return { kind: 'found', row: only };
  const names = waiting.map(({ name }) => name).join(', ');
  const seen = waiting.some(({ id }) => isReviewed(id))
    ? 'but not the one that you reviewed last: name a worker'
    : 'and you have reviewed none of them: run "drover review" first, or name a worker';
  const wait = waiting.length === 1 ? '1 worker waits' : `${waiting.length} workers wait`;
  return refused('which-worker', `${wait} for review, ${seen} (${names})`);
}

/** Returns the commit that the caller has seen, or names; or the reason why there is nothing to accept. */
export function pinOf(
  worker: string,
  { seen, head }: { readonly seen: ReviewRow | null; readonly head: string | undefined },
): { readonly kind: 'pin'; readonly pin: Pin } | Refusal {
  if (seen !== null && (head === undefined || seen.head.startsWith(head)))
    return { kind: 'pin', pin: { head: seen.head, tree: seen.tree, against: seen.base } };
  const look = `run "drover review ${worker}"`;
  if (head === undefined)
    return refused(
      'not-reviewed',
      `${worker}: you have not reviewed its work: ${look} first, or name the commit that you reviewed: "drover accept ${worker} --head COMMIT"`,
    );
  // A beginning of a name may come to mean another commit: it matches only a commit that was shown.
  if (head.length === 40 || head.length === 64) return { kind: 'pin', pin: { head, tree: null } };
  return refused(
    'not-reviewed',
    `${worker}: "${head}" is not the commit that you reviewed: ${look} first, or give the full commit id`,
  );
}
