/** Says what another try of a run would do, by beginning it without carrying anything out. */
import { decideRun, newRun } from './decide-run.ts';
import { allItems, stageInHand } from './find.ts';
import { isOver } from './run.ts';
import type { Run, RunTerms } from './run.ts';
import type { RunContext } from './step.ts';

export interface RetryPlan {
  /** Items that are taken over. */
  readonly adopted: readonly string[];
  /** Stages that a person leaves out. */
  readonly skipped: readonly string[];
  /** Stage with which the work begins; null: there is nothing left to do. */
  readonly from: string | null;
  /** Items that begin at once. */
  readonly begins: readonly string[];
}

export function planRetry(terms: RunTerms, ctx: RunContext): RetryPlan {
  const { run, requests } = decideRun(newRun(terms), { kind: 'requested' }, ctx);
  const begins = requests.flatMap((one) => (one.kind === 'start' ? [one.item.item] : []));
  return {
    adopted: adoptedOf(run),
    skipped: terms.skip,
    from: isOver(run) ? null : (stageInHand(run)?.name ?? null),
    begins,
  };
}

function adoptedOf(run: Run): readonly string[] {
  return allItems(run).flatMap(({ name, isAdopted }) => (isAdopted ? [name] : []));
}

/** Returns the ids of workers on which items of a run failed. */
export function failedWorkers(run: Run): readonly string[] {
  return [...new Set(allItems(run).flatMap(({ failedOn }) => failedOn))];
}
