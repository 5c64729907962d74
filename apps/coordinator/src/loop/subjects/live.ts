/**
 * What a worker runs with: what a person said of it, and otherwise what the configuration says now. A change reaches workers that are there; what
 * their agents were started with is kept beside it, so that both can be shown.
 */
import { canonical } from '@drover/core';
import type { Cause, LiveOptions, StartedWith, WorkerOptions, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { audited, sumOf } from '../../facts/people/audit-rows.ts';
import { queueDue } from './queue.ts';
import { saidOf } from '../../facts/workers/defaults.ts';
import { DEFAULT_ROLE } from '../../facts/workers/role.ts';

/** When a change of each reaches a worker that is there. */
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

/** Their names, in the order in which they are shown. */
export const LIVE = Object.keys(REACHES) as readonly (keyof LiveOptions)[];

/** What the configuration says of a worker of this name. */
export function liveOf(options: WorkerOptions): LiveOptions {
  const { model, skipPermissions, allowedTools, sessionWidth, sessionHeight, rolePrompt, role, excludedFromPool } =
    options;
  const rest = { model, skipPermissions, allowedTools, sessionWidth, sessionHeight, rolePrompt, excludedFromPool };
  return { ...rest, role: role ?? DEFAULT_ROLE };
}

/** What a person said of a worker. Where it was not noted, what is otherwise than configured now is taken for it. */
export function ownOf(options: WorkerOptions, says: LiveOptions): Partial<LiveOptions> {
  if (options.own !== undefined) return options.own;
  const now: Partial<LiveOptions> = { ...liveOf(options), role: options.role ?? says.role };
  return Object.fromEntries(LIVE.filter((key) => !isSame(now[key], says[key])).map((key) => [key, now[key]]));
}

/** The options under what the configuration says, and what the person said. */
export function followed(options: WorkerOptions, says: LiveOptions, own = ownOf(options, says)): WorkerOptions {
  return { ...options, ...says, ...own, own };
}

/** The names of what differs. */
export function changesOf(before: WorkerOptions, after: WorkerOptions): readonly (keyof LiveOptions)[] {
  const [old, young] = [liveOf(before), liveOf(after)];
  return LIVE.filter((key) => !isSame(old[key], young[key]));
}

/** `says`: what the document of the worker's project says of it at this moment, whatever was read before. Undefined: it has none. */
type Change = (options: WorkerOptions, says: LiveOptions | undefined) => WorkerOptions;

/** The options of one worker are made anew, in one transaction with the audit. @returns what changed; null: it is gone. */
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
    // It may be of the pool from now on, or have a role that is waited for.
    await tx.schedule([queueDue(now)]);
    return changed;
  });
  if (changes !== null && changes.length > 0) ctx.hints.due(now);
  return changes;
}

/** A worker that runs with something else from now on. */
export interface Followed {
  readonly name: string;
  readonly changes: readonly (keyof LiveOptions)[];
}

/** Who follows what. */
export interface Following {
  readonly by: Cause;
  /** What the configuration says of a worker; null: it says nothing of it. */
  readonly says: (row: WorkerRow) => WorkerOptions | null;
  /** Nothing is changed: it is only told what would be. */
  readonly dryRun: boolean;
}

/** The configuration was read: each worker follows it, except in what a person said of that worker. @returns those that change. */
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
          // Of two who apply at once the one that was stored last counts, also where it was told first.
          change: (now, says = config) => followed(now, says),
        });
    if (changes !== null && changes.length > 0) told.push({ name, changes });
  }
  return told;
}

/** What changed, and from when on it holds. */
export function tellChanges(changes: readonly (keyof LiveOptions)[]): string {
  return changes.map((key) => `${key} (from its ${REACHES[key]})`.replace('from its at once', 'at once')).join(', ');
}

/** What its agent was started with; null: none runs, or it is not known. */
export function runsWith({ options, state }: Pick<WorkerRow, 'options' | 'state'>): StartedWith | null {
  const { pane } = state.session;
  const { started } = options;
  return pane.kind === 'up' && started?.incarnation === pane.incarnation ? started : null;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}
