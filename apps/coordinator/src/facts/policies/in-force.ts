/** The policy under which a decision is taken. The project's row says what differs from the defaults, for every replica alike. */
import { hash } from 'node:crypto';
import { canonical, policyWith } from '@drover/core';
import type { Policy, PolicyChanges } from '@drover/core';
import type { Project, ProjectPolicy, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';

/** A policy and its version: the digest of what it says, so that the same policy has the same version everywhere. */
export interface PolicyInForce {
  readonly version: string;
  readonly policy: Policy;
}

/** Hexadecimal digits of a digest: of fleets that ever were, none has so many policies that two would share 12. */
const DIGITS = 12;
/** Policies that are remembered, by what they were made of; a fleet has one for each project and few workers. */
const REMEMBERED_MAX = 1_000;

/** Made from the same changes, a policy is the same: a decision should not have to check and digest it again. */
const MADE = new WeakMap<Policy, Map<string, PolicyInForce>>();

/** The digest by which policies and decisions are known. */
export function digest(text: string): string {
  return hash('sha256', text).slice(0, DIGITS);
}

/** The policy of a worker: the defaults, changed by its project's `[policy]`, changed by its own. */
export function policyInForce(
  { policy: base }: Pick<Context, 'policy'>,
  project: Project,
  worker: string,
): PolicyInForce {
  const { policy } = project.config;
  return policyOfDocuments(base, [policy?.project ?? {}, ownChanges(policy, worker)]);
}

/** What is changed for one worker alone. */
export function ownChanges(policy: ProjectPolicy | undefined, worker: string): PolicyChanges {
  const workers = policy?.workers ?? {};
  return Object.hasOwn(workers, worker) ? (workers[worker] ?? {}) : {};
}

/**
 * A base with changes, one document over the other. They were checked before they were stored; of those that another
 * build checked otherwise none holds, as of no document that is broken.
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

/** Keeps the policy beside the first decision under it. @returns what is to be called after the commit. */
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
