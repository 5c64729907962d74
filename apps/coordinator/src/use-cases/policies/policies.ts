/** Shows which policy values hold and why, and the differences of two policies. */
import { policyDifferences, policyEntries } from '@drover/core';
import type { PolicyChanges } from '@drover/core';
import type { Outcome, PolicyDiffView, PolicyFleet, PolicySide, PolicyView } from '@drover/api';
import type { Context } from '../../context/context.ts';
import type { Reach } from '../../facts/workers/find.ts';
import { ownChanges, policyInForce } from '../../facts/policies/in-force.ts';
import { replay } from './replay.ts';
import { projectOf, resolvePolicy } from './resolve.ts';

export function createPolicyFleet(ctx: Context): PolicyFleet {
  return {
    showPolicy: ({ worker }, by) => show(ctx, worker, by),
    diffPolicies: (input, by) => diff(ctx, input, by),
    replay: (input, by) => replay(ctx, input, by),
  };
}

async function show(ctx: Context, worker: string | undefined, by: Reach): Promise<Outcome<PolicyView>> {
  const found = await projectOf(ctx, worker, by);
  if (found.kind === 'refused') return found;
  const { project } = found;
  const { version, policy } = policyInForce(ctx, project, worker ?? '');
  const changes = project.config.policy;
  const [own, shared] = [keysOf(ownChanges(changes, worker ?? '')), keysOf(changes?.project ?? {})];
  const entries = policyEntries(policy).map(({ key, value }) => ({
    key,
    value,
    from: own.has(key) ? ('worker' as const) : shared.has(key) ? ('project' as const) : ('default' as const),
  }));
  return { kind: 'ok', value: { version, entries } };
}

function keysOf(changes: PolicyChanges): ReadonlySet<string> {
  return new Set(policyEntries(changes).map(({ key }) => key));
}

async function diff(
  ctx: Context,
  { before, after }: { before: PolicySide; after: PolicySide },
  by: Reach,
): Promise<Outcome<PolicyDiffView>> {
  const [one, other] = [await resolvePolicy(ctx, before, by), await resolvePolicy(ctx, after, by)];
  if (one.kind === 'refused') return one;
  if (other.kind === 'refused') return other;
  const differences = [...policyDifferences(one.value.policy, other.value.policy)];
  return { kind: 'ok', value: { before: one.value.version, after: other.value.version, differences } };
}
