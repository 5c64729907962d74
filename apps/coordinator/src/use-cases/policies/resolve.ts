/** Finds the policy that a person means: the default one, the one in force, a kept one, or one with changes. */
import { canonical, policyWith } from '@drover/core';
import type { Policy } from '@drover/core';
import type { Outcome, PolicySide, Refusal } from '@drover/api';
import type { Project } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { findByName, readRoster } from '../../facts/workers/find.ts';
import type { Reach } from '../../facts/workers/find.ts';
import { digest, policyInForce } from '../../facts/policies/in-force.ts';
import type { PolicyInForce } from '../../facts/policies/in-force.ts';
import { NO_PROJECT } from '../../facts/projects/which.ts';
import { refused } from '../../context/refused.ts';

/** Finds the policy that the caller named. Refuses with `not-found` or `invalid`. */
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
  return refused('not-found', `No decision used a policy "${prefix}"; there are: ${known || 'none'}`);
}

function ofChanges(ctx: Context, documents: readonly object[]): Outcome<PolicyInForce> {
  let { policy } = ctx;
  for (const document of documents) {
    const outcome = policyWith(Object.fromEntries(Object.entries(document)), policy);
    if (outcome.kind === 'invalid')
      return refused(
        'invalid',
        `The policy is not valid: ${outcome.problems.map(({ message }) => message).join('; ')}`,
      );
    ({ policy } = outcome);
  }
  return { kind: 'ok', value: versioned(policy) };
}

/** Reads a stored policy. */
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

/** Finds the project of a worker, or the first one that the caller reaches. */
export async function projectOf(
  ctx: Context,
  worker: string | undefined,
  by: Reach,
): Promise<{ readonly kind: 'found'; readonly project: Project } | Refusal> {
  const roster = await readRoster(ctx, by);
  const found = worker === undefined ? null : findByName(roster, worker);
  if (found?.kind === 'refused') return found;
  const project = found === null ? roster.projects[0] : roster.projects.find(({ id }) => id === found.row.projectId);
  return project === undefined ? refused('not-found', NO_PROJECT) : { kind: 'found', project };
}
