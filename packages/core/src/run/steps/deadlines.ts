/** Derives the whole set of deadlines from the state of a run (W1). */
import { allItems, planOf, stageInHand } from '../find.ts';
import { isOver, RUN_DEADLINES } from '../run.ts';
import type { RunClock, Item, Run, RunDeadlineName } from '../run.ts';
import type { RunContext } from '../step.ts';
import { clockAt, isForAgent, isSpent } from './budgets.ts';

export function armedRunDeadlines(run: Run, ctx: RunContext): Run['deadlines'] {
  if (isOver(run)) return {};
  const times: Readonly<Record<RunDeadlineName, number | null>> = {
    budget: budgetAt(run, ctx),
    'hand-back': earliest(allItems(run).map(handBackAt)),
    retry: earliest(allItems(run).map((item) => retryAt(run, item, ctx.now))),
    ramp: run.ramp?.nextAt ?? null,
    remind: remindAt(run, ctx),
  };
  return Object.fromEntries(RUN_DEADLINES.flatMap((name) => (times[name] === null ? [] : [[name, times[name]]])));
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function handBackAt({ progress }: Item): number | null {
  return progress.kind === 'running' ? progress.handBackUntil : null;
}

/**
 * Returns the time of another attempt; a paused run orders no more work, and keeps what there is. Work whose time has come and that could not
 * begin waits for another thing (a part before it, room, a person, the ramp after a limit), which wakes it.
 */
function retryAt({ paused }: Run, { progress }: Item, now: number): number | null {
  if (progress.kind === 'pinning') return progress.retryAt;
  if (progress.kind === 'running') return progress.givenUpAt ?? null;
  if (progress.kind !== 'waiting' || paused !== null || progress.retryAt === null) return null;
  return progress.retryAt > now ? progress.retryAt : null;
}

function remindAt({ paused }: Run, { now, policy }: RunContext): number | null {
  if (paused === null) return null;
  const { remindMs } = policy.run;
  return paused.since + (Math.floor((now - paused.since) / remindMs) + 1) * remindMs;
}

/** Returns the time at which a clock reaches its next mark, if it goes on. */
function budgetAt(run: Run, ctx: RunContext): number | null {
  const stage = stageInHand(run);
  // A mark means something only while an agent is at the stage, or will be; the next such stage finds it passed.
  if (stage === null || !stage.items.some((item) => isForAgent(run, item))) return null;
  const { nearShare } = ctx.policy.run;
  const share = (clock: RunClock): number => (clock.told === 'near' || isSpent(run, stage) ? 1 : nearShare);
  return earliest([
    markAt(run.clock, run.terms.flow.budget.timeMs, { share: share(run.clock), now: ctx.now }),
    markAt(stage.clock, planOf(run, stage.name).budget.timeMs, { share: share(stage.clock), now: ctx.now }),
  ]);
}

function markAt(
  clock: RunClock,
  limitMs: number | null,
  { share, now }: { readonly share: number; readonly now: number },
): number | null {
  if (limitMs === null || clock.runsSince === null || clock.told === 'spent') return null;
  const mark = limitMs * share;
  return now + Math.max(0, Math.ceil(mark - clockAt(clock, now)));
}
