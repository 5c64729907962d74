/** Chooses the next alternative, when a retry did not help. */
import type { Alternative } from '../../worker/incident.ts';

/**
 * The alternatives of level 2, gentlest first: each gives up more than the one before.
 * Source: docs/recovery.md, the four levels.
 */
export const ALTERNATIVE_ORDER = [
  'fresh-context',
  'respawn-resumed',
  'respawn-clean',
  'rollback',
  'other-profile',
  'other-machine',
  'other-worker',
] as const satisfies readonly Alternative['kind'][];

/** The kind of an alternative. */
export type AlternativeKind = Alternative['kind'];

/** Tells whether an alternative of this kind could help against the failure at all. */
export function helpsAgainst(
  plan: { readonly alternatives: readonly AlternativeKind[] },
  kind: AlternativeKind,
): boolean {
  return plan.alternatives.includes(kind);
}

/**
 * Returns the first alternative that applies and was not tried in this incident, in the order above; among those of one kind the caller's
 * order decides. Null: there is none, so a person is asked.
 */
export function nextAlternative(tried: readonly Alternative[], available: readonly Alternative[]): Alternative | null {
  const seen = new Set(tried.map(alternativeKey));
  for (const kind of ALTERNATIVE_ORDER) {
    const next = available.find((option) => option.kind === kind && !seen.has(alternativeKey(option)));
    if (next !== undefined) return next;
  }
  return null;
}

/** Returns the identity of an alternative: two with the same key are the same try. */
export function alternativeKey(alternative: Alternative): string {
  switch (alternative.kind) {
    case 'fresh-context':
    case 'other-worker':
    case 'respawn-clean':
    case 'respawn-resumed':
    // Tried once: later checkpoints are of the work that failed again.
    case 'rollback':
      return alternative.kind;
    case 'other-profile':
      return `other-profile ${alternative.profile}`;
    case 'other-machine':
      return `other-machine ${alternative.to.id}`;
  }
}
