/** Compares roles of people by their permissions. */
import type { Actor } from '@drover/api';

const RANKS = ['viewer', 'responder', 'operator', 'admin'] as const;

/** Returns the role that allows less. */
export function lesser(one: Actor['role'], other: Actor['role']): Actor['role'] {
  const rank = Math.min(
    RANKS.findIndex((it) => it === one),
    RANKS.findIndex((it) => it === other),
  );
  return RANKS[rank] ?? 'viewer';
}
