/**
 * Applies a document that describes a project: one way for `drover project apply`, for the root of a coordinator when it starts, and for its
 * `drover.toml` when that changes. Applied again, it changes nothing.
 */
import { BRANCH_PREFIX, canonical } from '@drover/core';
import { newProjectName } from '@drover/api';
import type { Refusal, SettingChangeView } from '@drover/api';
import type { Cause, NewProject, Project, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { refused } from '../../context/refused.ts';
import { tellChanges } from '../../loop/subjects/live.ts';
import type { Followed } from '../../loop/subjects/live.ts';
import { tellBudgets } from '../../loop/subjects/budgets.ts';
import { followDue, followWorkers } from './follow.ts';

/** Fields of the context that are needed: a coordinator that only migrates has no more. */
export type ApplyContext = Pick<Context, 'store' | 'clock' | 'ids' | 'log' | 'hints'>;

/** Options of an application. */
export interface Applying {
  readonly by: Cause;
  /** Applies also if the project belongs to a root, or its workers are based on commits of another source or branch. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Changes of the document, made or planned. */
export interface Applied {
  readonly kind: 'applied';
  readonly outcome: 'added' | 'changed' | 'unchanged';
  readonly before: Project | null;
  readonly changes: readonly SettingChangeView[];
  /** Sentences about workers whose options change. */
  readonly workers: readonly string[];
}

/** Stores the document, and applies it to the project's workers. Refuses with `invalid`, `of-a-root` and `has-workers`. */
export async function applyDocument(
  ctx: ApplyContext,
  document: NewProject,
  { by, force, dryRun }: Applying,
): Promise<Applied | Refusal> {
  const outcome = await ctx.store.transaction(async (tx): Promise<Omit<Applied, 'workers'> | Refusal> => {
    // Two people who apply one name at once take turns.
    await tx.lockName(`project ${document.name}`);
    const before = await tx.lockProjectNamed(document.name);
    const changes = changesBetween(before, document);
    const problem =
      before === null
        ? wrongName(document)
        : ((await otherPrefix(tx, before, document)) ?? (force ? null : await obstacle(tx, before, document)));
    if (problem !== null) return problem;
    if (changes.length > 0 && !dryRun) {
      await save(ctx, tx, { document, isNew: before === null, changes, by });
      if (before !== null) await tx.schedule([followDue(before.id, by, ctx.clock.now())]);
      if (before !== null && changes.some(({ key }) => key.startsWith('budget')))
        await tellBudgets(tx, before.id, ctx.clock.now());
    }
    const what = before === null ? 'added' : changes.length > 0 ? 'changed' : 'unchanged';
    return { kind: 'applied', outcome: what, before, changes };
  });
  if (outcome.kind === 'refused') return outcome;
  if (outcome.before === null) return { ...outcome, workers: [] };
  const told = await followWorkers(ctx, { ...outcome.before, config: document.config }, { by, dryRun });
  return { ...outcome, workers: told.map(followedText) };
}

/** Describes the changes of a worker, and when each takes effect. */
export function followedText({ name, changes }: Followed): string {
  return `${name}: ${tellChanges(changes)}`;
}

/** Refuses another name for a root, which has the name of its directory. */
function wrongName({ name, root }: NewProject): Refusal | null {
  const issues = root === null ? newProjectName.safeParse(name).error?.issues : undefined;
  return issues === undefined ? null : refused('invalid', issues.map(({ message }) => message).join('; '));
}

async function obstacle(tx: StoreTransaction, before: Project, document: NewProject): Promise<Refusal | null> {
  const { name } = document;
  if (before.root !== null && document.root === null) {
    const message = `"${name}" is the project of the root ${before.root}, whose coordinator reads ${before.root}/drover.toml when it changes: change it there. If that root is gone, or must no longer control the project, repeat with --force`;
    return refused('of-a-root', message);
  }
  if (before.source === document.source && before.defaultBranch === document.defaultBranch) return null;
  const workers = await tx.listRoster({ projectId: before.id });
  if (workers.length === 0) return null;
  const names = workers.map((worker) => worker.name).join(', ');
  const message = `"${name}" has workers (${names}), whose worktrees are based on ${before.source}, branch ${before.defaultBranch}: remove them with "drover nuke NAME" first, or repeat with --force if the same repository only moved`;
  return refused('has-workers', message);
}

/** Refuses another branch prefix, also with force: a worker's commits are found by the name of its branch. */
async function otherPrefix(tx: StoreTransaction, before: Project, document: NewProject): Promise<Refusal | null> {
  const [was, is] = [prefixOf(before), prefixOf(document)];
  if (was === is) return null;
  const workers = await tx.listRoster({ projectId: before.id });
  if (workers.length === 0) return null;
  const names = workers.map((worker) => worker.name).join(', ');
  const message = `"${document.name}" has workers (${names}), whose branches begin with "${was}/": set branch_prefix = "${was}" in [repo] of drover.toml again, remove them with "drover nuke NAME", and then set "${is}"`;
  return refused('has-workers', message);
}

function prefixOf({ config }: Pick<NewProject, 'config'>): string {
  return config.branchPrefix ?? BRANCH_PREFIX;
}

interface Saving {
  readonly document: NewProject;
  readonly isNew: boolean;
  readonly changes: Applied['changes'];
  readonly by: Cause;
}

/** Saves the document. The audit names the settings that changed, and not their values: a preamble or a prompt is no part of it. */
async function save(ctx: ApplyContext, tx: StoreTransaction, { document, isNew, changes, by }: Saving): Promise<void> {
  const now = ctx.clock.now();
  await tx.saveProject(document, now);
  const { name, source, defaultBranch: branch, config } = document;
  const settings = isNew ? [] : changes.map(({ key }) => key);
  const details = { source, branch, home: config.home ?? null, settings };
  const action = isNew ? 'project-added' : 'project-changed';
  await tx.audit(audited({ at: now, by, action, about: `project ${name}`, details }));
}

/** Lists every setting in which two documents differ, by its dotted name. The place that a document was applied from is no setting. */
function changesBetween(before: Project | null, after: NewProject): readonly SettingChangeView[] {
  const old = before === null ? new Map<string, string>() : settingsOf(before);
  const young = settingsOf(after);
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((key) => ({ key, before: old.get(key) ?? null, after: young.get(key) ?? null }))
    .filter((one) => one.before !== one.after);
}

function settingsOf({ source, root, defaultBranch: branch, config }: NewProject): ReadonlyMap<string, string> {
  const { appliedFrom: _, ...settings } = config;
  return new Map(leavesOf({ source, root, branch, ...settings }, ''));
}

function leavesOf(value: object, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): readonly (readonly [string, string])[] => {
    if (inner === null || inner === undefined) return [];
    const key = `${prefix}${name}`;
    if (typeof inner === 'object' && !Array.isArray(inner)) return leavesOf(inner, `${key}.`);
    return [[key, canonical(inner)]];
  });
}
