/** What is the next different thing to try, when doing the same again did not help? */
import type { ErrorCode } from '../taxonomy/codes.ts';

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

/** Where the cause may lie: with the conversation, with the process, with the work, or with the provider. */
const CONTEXT: readonly AlternativeKind[] = ['fresh-context', 'rollback', 'other-profile', 'other-worker'];
const PROCESS: readonly AlternativeKind[] = ['respawn-resumed', 'respawn-clean', 'other-profile', 'other-worker'];
const WORK: readonly AlternativeKind[] = ['rollback', 'other-profile', 'other-worker'];
const PROVIDER: readonly AlternativeKind[] = ['other-profile', 'other-worker'];
const PLACE: readonly AlternativeKind[] = ['other-worker'];

/** What could help against a failure. A code that is not listed is told to a person after level 1. */
const HELPS: Readonly<Partial<Record<ErrorCode, readonly AlternativeKind[]>>> = {
  AGENT_CONTEXT_EXHAUSTED: CONTEXT,
  AGENT_INVALID_OUTPUT: CONTEXT,
  AGENT_SPAWN_FAILED: ['respawn-clean', 'other-profile', 'other-worker'],
  AGENT_TIMEOUT: PROCESS,
  AGENT_API_ERROR: PROCESS,
  SERVER_OVERLOADED: PROCESS,
  NETWORK_ERROR: PROCESS,
  RATE_LIMITED: PROVIDER,
  USAGE_LIMIT: PROVIDER,
  VALIDATION_FAILED: WORK,
  SESSION_ORPHANED: PLACE,
};

/** Whether an alternative of this kind could help against the failure at all. */
export function helpsAgainst(code: ErrorCode, kind: AlternativeKind): boolean {
  return HELPS[code]?.includes(kind) === true;
}

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
    // Once: later checkpoints are of the work that failed again.
    case 'rollback':
      return alternative.kind;
    case 'other-profile':
      return `other-profile ${alternative.profile}`;
  }
}
