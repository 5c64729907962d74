/** Builds the policy under which a decision is taken. The project's row holds the differences from the defaults, for every replica alike. */
import { hash } from 'node:crypto';
import { canonical, policyWith } from '@drover/core';
import type { Policy, PolicyChanges } from '@drover/core';
import type { Project, ProjectPolicy, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';

/** A policy and its version: the digest of its content, so that the same policy has the same version everywhere. */
export interface PolicyInForce {
  readonly version: string;
  readonly policy: Policy;
}

/** Hexadecimal digits of a digest: no fleet ever has so many policies that two would share 12. */
const DIGITS = 12;
/** Policies that are remembered, by their parts; a fleet has one for each project and few workers. */
const REMEMBERED_MAX = 1_000;

/** Policies by base and changes: the same changes make the same policy, so a decision need not check and digest it again. */
const MADE = new WeakMap<Policy, Map<string, PolicyInForce>>();

/** Computes the digest that identifies policies and decisions. */
export function digest(text: string): string {
  return hash('sha256', text).slice(0, DIGITS);
}

/** Builds the policy of a worker: the defaults, changed by its project's `[policy]`, changed by its own. */
export function policyInForce(
  { policy: base }: Pick<Context, 'policy'>,
  project: Project,
  worker: string,
): PolicyInForce {
  const { policy } = project.config;
  return policyOfDocuments(base, [policy?.project ?? {}, ownChanges(policy, worker)]);
}

/** Returns the changes for one worker alone. */
export function ownChanges(policy: ProjectPolicy | undefined, worker: string): PolicyChanges {
  const workers = policy?.workers ?? {};
  return Object.hasOwn(workers, worker) ? (workers[worker] ?? {}) : {};
}

/**
 * Applies changes to a base, one document over the other. The documents were checked before they were stored; if another build checked
 * them otherwise, none of them holds, as with a broken document.
 */
export function policyOfDocuments(base: Policy, documents: readonly PolicyChanges[]): PolicyInForce {
  const made = MADE.get(base) ?? new Map<string, PolicyInForce>();
  MADE.set(base, made);
  const key = JSON.stringify(documents);
  const known = made.get(key);
  if (known !== undefined) return known;
  let policy = base;
  for (const changes of documents) {
    const outcome = policyWith(changes, policy);
    if (outcome.kind === 'ok') ({ policy } = outcome);
  }
  const inForce = { version: digest(canonical(policy)), policy };
  if (made.size >= REMEMBERED_MAX) made.clear();
  made.set(key, inForce);
  return inForce;
}

/** Versions that this process has seen committed. */
const KEPT = new WeakMap<Context['store'], Set<string>>();

/** Keeps the policy beside the first decision under it. @returns a function to call after the commit. */
export async function keepInForce(
  { store }: Context,
  tx: StoreTransaction,
  { inForce: { version, policy }, now }: { inForce: PolicyInForce; now: number },
): Promise<() => void> {
  const kept = KEPT.get(store) ?? new Set<string>();
  KEPT.set(store, kept);
  if (kept.has(version)) return () => {};
  await tx.keepPolicy({ version, document: policy, createdAt: now });
  return () => void kept.add(version);
}
