/** What a configuration says is made known to all replicas. */
import type { NewProject, Store } from '@drover/store';
import { PATROL_KEY } from './use-cases/patrol.ts';

/** What is made known. */
export interface Known {
  /** The project that the configuration names; null: none. */
  readonly project: NewProject | null;
  /** Time between rounds of the patrol, in milliseconds; null: this replica asks for none. */
  readonly patrolEveryMs: number | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Stores the project, and when the patrol makes its next round. */
export async function prepare(store: Store, { project, patrolEveryMs, now }: Known): Promise<void> {
  if (project !== null) await store.upsertProject(project, now);
  if (patrolEveryMs === null) return;
  const row = { kind: 'patrol' as const, key: PATROL_KEY, dueAt: now + patrolEveryMs, payload: {} };
  await store.transaction((tx) => tx.schedule([row]));
}
