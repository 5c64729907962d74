/** Finds the item of the work queue that a person names. */
import type { Refusal } from '@drover/api';
import type { QueueItemRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import type { Reach } from '../workers/find.ts';

/** Items that are searched for the named one. */
export const ITEMS_READ_MAX = 10_000;
/** The states of items that are not over. */
export const WAITING = ['open', 'taken'] as const;

/** The item that was found, or a refusal. */
type Found = { readonly kind: 'found'; readonly item: QueueItemRow } | Refusal;

/** Limits a search to the caller's project, if there is one. */
export function within({ project }: Reach): { readonly projectId?: string } {
  return project === null ? {} : { projectId: project };
}

/** Finds an item by its id, or by enough of it. */
export async function findItem(ctx: Context, id: string, by: Reach): Promise<Found> {
  const items = await ctx.store.listQueueItems({ limit: ITEMS_READ_MAX, ...within(by) });
  const named = items.filter((item) => item.id.startsWith(id) || item.id.endsWith(id));
  const [item, ...others] = named;
  if (item === undefined)
    return refused('not-found', `There is no item "${id}" in the work queue: see "drover queue --all"`);
  if (others.length > 0) return refused('invalid', `"${id}" matches ${named.length} items: give more of the id`);
  return { kind: 'found', item };
}
