/** Finds due work that fails again and again. */
import type { Context } from '../../context/context.ts';
import type { Finding } from './facts.ts';
import { orFine, problem } from './finding.ts';

/** Tries after which people are told: the work has failed for a minute and a half by then. */
const TRIES_MIN = 5;
/** Rows that are named at most. */
const NAMED_MAX = 20;

/** Names stuck work. Stuck work is retried ever more seldom, so that an update of the coordinator fixes it. */
export async function examineDueWork(ctx: Context): Promise<readonly Finding[]> {
  const failing = await ctx.store.listFailingWork(TRIES_MIN, NAMED_MAX);
  const found = failing.map(({ kind, key, dueAt, tries, problem: said, nextTryAt }) =>
    problem('due-work', `${kind} ${key}`, {
      says: `has been due since ${when(dueAt)} and failed ${tries} times, most recently with: ${said ?? 'the coordinator died'}. Drover retries at ${when(nextTryAt)}; this is a bug in the coordinator: update it, or report this`,
      help: null,
    }),
  );
  return orFine('due-work', 'coordinator', { says: 'no due work fails repeatedly', found });
}

function when(ms: number): string {
  return new Date(ms).toISOString();
}
