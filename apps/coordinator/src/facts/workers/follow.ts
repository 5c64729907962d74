/** Waits for the lines after a given line of the decision log. Hints end a wait early; nothing depends on a hint. */
import type { EventRow, FeedFilter, Store } from '@drover/store';
import { listenFor } from '../../context/waiters.ts';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';

/** Milliseconds to the next read while a transaction is open whose lines come first: most take less. */
const SETTLES_MS = 25;

/** Resolves with the next lines, or without any after `waitMs`, or when the signal fires. */
export async function followEvents(
  { store, clock }: { readonly store: Pick<Store, 'followEvents'>; readonly clock: Context['clock'] },
  filter: FeedFilter,
  { events, waitMs, signal }: { readonly events: Waiters; readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<readonly EventRow[]> {
  const key = filter.of !== undefined && 'workerId' in filter.of ? filter.of.workerId : '*';
  const after = (ms: number, run: () => void) => clock.after(ms, run);
  const until = clock.now() + waitMs;
  for (;;) {
    const left = until - clock.now();
    using hint = listenFor(events, key, { ms: Math.max(0, left), after, signal });
    const page = await store.followEvents(filter);
    if (page.events.length > 0 || left <= 0 || signal?.aborted === true) return page.events;
    using settled = page.isBehind ? listenFor(events, key, { ms: SETTLES_MS, after, signal }) : hint;
    await Promise.race([hint.heard, settled.heard]);
  }
}
