/** Publishes the configuration to all replicas. */
import type { NewProject } from '@drover/store';
import { applyDocument } from '../use-cases/projects/apply.ts';
import type { ApplyContext } from '../use-cases/projects/apply.ts';

/** Key of the one row that is the patrol. */
export const PATROL_KEY = 'main';

/** Settings to publish. */
export interface Known {
  /** Project that the configuration names; null: none. */
  readonly project: NewProject | null;
  /** Milliseconds between rounds of the patrol; null: this replica asks for none. */
  readonly patrolEveryMs: number | null;
}

/** Stores the project, and the time of the patrol's next round. */
export async function prepare(ctx: ApplyContext, { project, patrolEveryMs }: Known): Promise<void> {
  if (project !== null) await applyOwn(ctx, project);
  if (patrolEveryMs === null) return;
  const dueAt = ctx.clock.now() + patrolEveryMs;
  const row = { kind: 'patrol' as const, key: PATROL_KEY, dueAt, payload: {} };
  await ctx.store.transaction((tx) => tx.schedule([row]));
}

/** Applies the project's document. The owner of a root says where its repository is, also when it moved under its workers. */
async function applyOwn(ctx: ApplyContext, project: NewProject): Promise<void> {
  const applied = await applyDocument(ctx, project, { by: { kind: 'policy' }, force: true, dryRun: false });
  if (applied.kind === 'refused') ctx.log('warn', `Drover does not apply drover.toml: ${applied.message}`);
  if (applied.kind === 'refused' || applied.outcome !== 'changed') return;
  const keys = applied.changes.map(({ key }) => key).join(', ');
  ctx.log('info', `The settings of the project "${project.name}" changed since this coordinator last ran: ${keys}`);
  if (applied.workers.length > 0) ctx.log('info', `Settings of workers changed: ${applied.workers.join('; ')}`);
}
