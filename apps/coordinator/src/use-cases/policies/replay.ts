/** Decides a worker's recorded history again: checks that each decision is reproduced, and tells what another policy would have decided. */
import { REPLAY_BEGIN, replayStep, tellEvent } from '@drover/core';
import type { Policy, RecordedDecision, ReplayRules, ReplayStep } from '@drover/core';
import type { Outcome, PolicyFleet, ReplayView } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { findWorker } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';
import { policyFrom, resolvePolicy } from './resolve.ts';
import { digest } from '../../facts/policies/in-force.ts';

/** Decisions in one read. */
const PAGE = 500;
/** Differing steps that are shown; the others are only counted. */
const SHOWN_MAX = 200;

/** Replays the history. Refuses with `not-found` or `invalid`, for the worker or for the policy. */
export async function replay(
  ctx: Context,
  { worker, sinceMs, policy }: Parameters<PolicyFleet['replay']>[0],
  by: Reach,
): Promise<Outcome<ReplayView>> {
  const found = await findWorker(ctx, by, worker);
  if (found.kind === 'refused') return found;
  const other = policy === undefined ? null : await resolvePolicy(ctx, policy, by);
  if (other?.kind === 'refused') return other;
  const since = sinceMs === undefined ? null : ctx.clock.now() - sinceMs;
  const kept = new Map<string, Policy>();
  for (const { version, document } of await ctx.store.listPolicies())
    kept.set(version, policyFrom(document, ctx.policy));
  const rules: ReplayRules = {
    policyOf: (version) => kept.get(version) ?? null,
    other: other === null ? null : other.value.policy,
    digest,
  };
  const told = emptyView(worker, other?.value.version ?? null);
  let from = await ctx.store.replayableFrom(found.row.id, since);
  let state = REPLAY_BEGIN;
  while (from !== null) {
    const page: readonly RecordedDecision[] = await ctx.store.listDecisions(found.row.id, { from, limit: PAGE });
    for (const decision of page) {
      const next = replayStep(state, decision, rules);
      ({ state } = next);
      // Earlier decisions than `since` are only repeated to know the worker at that time.
      if (since === null || decision.facts.now >= since) tellStep(told, decision, next.step);
    }
    const last = page.at(-1);
    from = last === undefined || page.length < PAGE ? null : last.id + 1;
  }
  return { kind: 'ok', value: told };
}

function emptyView(worker: string, against: string | null): ReplayView {
  const counts = { decisions: 0, reproduced: 0, skipped: 0, differing: 0 };
  return { worker, from: null, to: null, ...counts, firstSkipped: null, policies: [], against, steps: [] };
}

/** Adds one step to the view. */
function tellStep(told: ReplayView, { id, event, facts, policy }: RecordedDecision, step: ReplayStep): void {
  const at = facts.now;
  told.from ??= at;
  told.to = at;
  told.decisions += 1;
  if (!told.policies.includes(policy)) told.policies.push(policy);
  if (step.kind === 'skipped') {
    told.skipped += 1;
    told.firstSkipped ??= { event: id, at, why: step.why };
    return;
  }
  told.reproduced += 1;
  if (step.differences.length === 0 && step.passed.length === 0) return;
  told.differing += 1;
  if (told.steps.length >= SHOWN_MAX) return;
  const { isFirst } = step;
  const [passed, differences] = [[...step.passed], [...step.differences]];
  told.steps.push({ event: id, at, heard: tellEvent(event), isFirst, passed, differences });
}
