/**
 * Computes a worker's options: a person's choices, and otherwise the present configuration. A change reaches existing workers; the
 * options of their agents' start are kept beside, so that both can be shown.
 */
import { canonical } from '@drover/core';
import type { Cause, LiveOptions, StartedWith, WorkerOptions, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { audited, sumOf } from '../../facts/people/audit-rows.ts';
import { queueDue } from './queue.ts';
import { saidOf } from '../../facts/workers/defaults.ts';
import { DEFAULT_ROLE } from '../../facts/workers/role.ts';

/** Moments at which a change of each option reaches an existing worker. */
export const REACHES = {
  model: 'next start',
  skipPermissions: 'next start',
  allowedTools: 'next start',
  sessionWidth: 'next start',
  sessionHeight: 'next start',
  rolePrompt: 'next task',
  role: 'at once',
  excludedFromPool: 'at once',
} as const satisfies Record<keyof LiveOptions, string>;

/** Names of the options, in the order in which they are shown. */
export const LIVE = Object.keys(REACHES) as readonly (keyof LiveOptions)[];

/** Picks the live options from the configuration of a worker of this name. */
export function liveOf(options: WorkerOptions): LiveOptions {
  const { model, skipPermissions, allowedTools, sessionWidth, sessionHeight, rolePrompt, role, excludedFromPool } =
    options;
  const rest = { model, skipPermissions, allowedTools, sessionWidth, sessionHeight, rolePrompt, excludedFromPool };
  return { ...rest, role: role ?? DEFAULT_ROLE };
}

/** Returns a person's choices for a worker. If they were not noted, every difference from the configuration counts as one. */
export function ownOf(options: WorkerOptions, says: LiveOptions): Partial<LiveOptions> {
  if (options.own !== undefined) return options.own;
  const now: Partial<LiveOptions> = { ...liveOf(options), role: options.role ?? says.role };
  return Object.fromEntries(LIVE.filter((key) => !isSame(now[key], says[key])).map((key) => [key, now[key]]));
}

/** Applies the configuration to the options, and then the person's choices. */
export function followed(options: WorkerOptions, says: LiveOptions, own = ownOf(options, says)): WorkerOptions {
  return { ...options, ...says, ...own, own };
}

/** Names the options that differ. */
export function changesOf(before: WorkerOptions, after: WorkerOptions): readonly (keyof LiveOptions)[] {
  const [old, young] = [liveOf(before), liveOf(after)];
  return LIVE.filter((key) => !isSame(old[key], young[key]));
}

/**
 * A change of options. `says`: the options of the worker at this moment in its project's document, whatever was read before. Undefined:
 * the project has no document.
 */
type Change = (options: WorkerOptions, says: LiveOptions | undefined) => WorkerOptions;

/** Changes the options of one worker, in one transaction with the audit. @returns the changes; null: the worker is gone. */
export async function changeOptions(
  ctx: Pick<Context, 'store' | 'clock' | 'hints'>,
  { id, by, change }: { id: string; by: Cause; change: Change },
): Promise<readonly (keyof LiveOptions)[] | null> {
  const now = ctx.clock.now();
  const changes = await ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(id);
    if (row === null) return null;
    const document = (await tx.readProject(row.projectId))?.config.workers;
    const options = change(row.options, document && liveOf(saidOf(document, row.name)));
    const changed = changesOf(row.options, options);
    if (isSame(row.options, options)) return changed;
    await tx.saveWorker({ ...row, options }, now);
    if (changed.length === 0) return changed;
    const live = liveOf(options);
    const details = Object.fromEntries(
      changed.map((key) => [key, key === 'rolePrompt' ? sumOf(live[key]) : live[key]]),
    );
    await tx.audit(audited({ at: now, by, action: 'worker-settings-changed', about: `worker ${row.name}`, details }));
    // The worker may now be in the pool, or have a role that is waited for.
    await tx.schedule([queueDue(now)]);
    return changed;
  });
  if (changes !== null && changes.length > 0) ctx.hints.due(now);
  return changes;
}

/** A worker whose options change. */
export interface Followed {
  readonly name: string;
  readonly changes: readonly (keyof LiveOptions)[];
}

/** Cause and source of the new options. */
export interface Following {
  readonly by: Cause;
  /** Options of a worker in the configuration; null: the configuration does not mention it. */
  readonly says: (row: WorkerRow) => WorkerOptions | null;
  /** Changes nothing, and only tells what would change. */
  readonly dryRun: boolean;
}

/** Applies a new configuration: each worker follows it, except in a person's choices for that worker. @returns the workers that change. */
export async function followAll(
  ctx: Pick<Context, 'store' | 'clock' | 'hints'>,
  { by, says, dryRun }: Following,
): Promise<readonly Followed[]> {
  const told: Followed[] = [];
  for (const row of await ctx.store.listWorkers()) {
    const said = says(row);
    if (said === null) continue;
    const { id, name, options } = row;
    const config = liveOf(said);
    const after = followed(options, config);
    if (isSame(after, options)) continue;
    const changes = dryRun
      ? changesOf(options, after)
      : await changeOptions(ctx, {
          id,
          by,
          // If two people apply at once, the last stored configuration wins, also where it was told first.
          change: (now, says = config) => followed(now, says),
        });
    if (changes !== null && changes.length > 0) told.push({ name, changes });
  }
  return told;
}

/** Describes the changes, and when each takes effect. */
export function tellChanges(changes: readonly (keyof LiveOptions)[]): string {
  return changes.map((key) => `${key} (from its ${REACHES[key]})`.replace('from its at once', 'at once')).join(', ');
}

/** Returns the options that its agent was started with; null: none runs, or they are unknown. */
export function runsWith({ options, state }: Pick<WorkerRow, 'options' | 'state'>): StartedWith | null {
  const { pane } = state.session;
  const { started } = options;
  return pane.kind === 'up' && started?.incarnation === pane.incarnation ? started : null;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}
