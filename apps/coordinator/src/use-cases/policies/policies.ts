/** The use cases of the policy: which values hold and why, and in what two policies differ. */
import { canonical, policyDifferences, policyEntries, policyWith } from '@drover/core';
import type { Policy, PolicyChanges } from '@drover/core';
import type { Outcome, PolicyDiffView, PolicyFleet, PolicySide, PolicyView, Refusal } from '@drover/api';
import type { Project } from '@drover/store';
import type { Context } from '../context.ts';
import { findByName, readRoster } from '../workers/find.ts';
import type { Reach } from '../workers/find.ts';
import { digest, ownChanges, policyInForce } from './in-force.ts';
import type { PolicyInForce } from './in-force.ts';
import { replay } from './replay.ts';

/** Binds the use cases to a context. */
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

/** The policy that somebody named. Refused with `not-found` or `invalid`. */
export async function resolvePolicy(ctx: Context, side: PolicySide, by: Reach): Promise<Outcome<PolicyInForce>> {
  switch (side.kind) {
    case 'default':
      return { kind: 'ok', value: versioned(ctx.policy) };
    case 'current': {
      const found = await projectOf(ctx, side.worker, by);
      return found.kind === 'refused'
        ? found
        : { kind: 'ok', value: policyInForce(ctx, found.project, side.worker ?? '') };
    }
    case 'version':
      return ofVersion(ctx, side.version);
    case 'changes':
      return ofChanges(ctx, side.documents);
    default:
      return side satisfies never;
  }
}

async function ofVersion(ctx: Context, prefix: string): Promise<Outcome<PolicyInForce>> {
  const all = await ctx.store.listPolicies();
  const named = all.filter(({ version }) => version.startsWith(prefix));
  const [row] = named;
  if (row !== undefined && named.length === 1)
    return { kind: 'ok', value: { version: row.version, policy: policyFrom(row.document, ctx.policy) } };
  if (row !== undefined)
    return refused('invalid', `${named.length} policies have a version that begins with "${prefix}"`);
  const known = all.map(({ version }) => version).join(', ');
  return refused('not-found', `No decision was taken under a policy "${prefix}"; there are: ${known || 'none'}`);
}

function ofChanges(ctx: Context, documents: readonly object[]): Outcome<PolicyInForce> {
  let { policy } = ctx;
  for (const document of documents) {
    const outcome = policyWith(Object.fromEntries(Object.entries(document)), policy);
    if (outcome.kind === 'invalid')
      return refused('invalid', `Not a policy: ${outcome.problems.map(({ message }) => message).join('; ')}`);
    ({ policy } = outcome);
  }
  return { kind: 'ok', value: versioned(policy) };
}

/** A policy as it was kept. What an older build did not know of is as it is by default: it did not decide by it. */
export function policyFrom(document: unknown, base: Policy): Policy {
  return filled(base, document);
}

function filled<T extends object>(base: T, document: unknown): T {
  const result: T = { ...base };
  if (!isTable(document)) return result;
  const known: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(base));
  for (const [key, value] of Object.entries(document)) {
    const inner = known[key];
    Object.assign(result, { [key]: isTable(inner) && isTable(value) ? filled(inner, value) : value });
  }
  return result;
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function versioned(policy: Policy): PolicyInForce {
  return { version: digest(canonical(policy)), policy };
}

async function projectOf(
  ctx: Context,
  worker: string | undefined,
  by: Reach,
): Promise<{ readonly kind: 'found'; readonly project: Project } | Refusal> {
  const roster = await readRoster(ctx, by);
  const found = worker === undefined ? null : findByName(roster, worker);
  if (found?.kind === 'refused') return found;
  const project = found === null ? roster.projects[0] : roster.projects.find(({ id }) => id === found.row.projectId);
  return project === undefined
    ? refused('not-found', 'There is no project yet: run "drover init" and then "drover up"')
    : { kind: 'found', project };
}

function refused(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}
