/** What is the next different thing to try, when doing the same again did not help? */

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
  'other-worker',
] as const;

/** The kind of an alternative. */
export type AlternativeKind = (typeof ALTERNATIVE_ORDER)[number];

/** One alternative. Those of one kind may be several, told apart by what they would use. */
export type Alternative =
  /** Clear the context and send the prompt again. */
  | { readonly kind: 'fresh-context' }
  /** Start the agent again in its pane, with its conversation. */
  | { readonly kind: 'respawn-resumed'; readonly conversation: string }
  /** Start the agent again without it. */
  | { readonly kind: 'respawn-clean' }
  /** Restore the last checkpoint and send the prompt again. */
  | { readonly kind: 'rollback'; readonly checkpoint: string }
  /** Another model or another program in the same worktree. */
  | { readonly kind: 'other-profile'; readonly profile: string }
  /** The task goes to whoever is idle, perhaps on another machine. */
  | { readonly kind: 'other-worker' };

/**
 * The first alternative that applies and was not tried in this incident, in the order above; among those of one kind
 * the caller's order decides. Null: there is none, so say so in the episode and go on to level 4.
 */
export function nextAlternative(tried: readonly Alternative[], available: readonly Alternative[]): Alternative | null {
  const seen = new Set(tried.map(alternativeKey));
  for (const kind of ALTERNATIVE_ORDER) {
    const next = available.find((option) => option.kind === kind && !seen.has(alternativeKey(option)));
    if (next !== undefined) return next;
  }
  return null;
}

/** The identity of an alternative: two with the same key are the same try. */
export function alternativeKey(alternative: Alternative): string {
  switch (alternative.kind) {
    case 'fresh-context':
    case 'other-worker':
    case 'respawn-clean':
    case 'respawn-resumed':
      return alternative.kind;
    case 'rollback':
      return `rollback ${alternative.checkpoint}`;
    case 'other-profile':
      return `other-profile ${alternative.profile}`;
  }
}
