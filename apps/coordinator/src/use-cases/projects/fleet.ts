/** Lists projects, finds their places, and applies their documents. */
import { isAddress, TRUST_KINDS, TRUST_MEANING, trusts } from '@drover/core';
import type { TrustKind } from '@drover/core';
import { formatProblem, parseConfig, projectSettings, readEnvironment } from '@drover/config';
import type { Actor, AppliedView, Outcome, ProjectFleet, ProjectPageView, ProjectView, Refusal } from '@drover/api';
import type { Machine, NewProject, Project, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { refused } from '../../context/refused.ts';
import { readRoster } from '../../facts/workers/find.ts';
import type { Roster } from '../../facts/workers/find.ts';
import { saveTrust } from '../../loop/subjects/trust.ts';
import { applyDocument } from './apply.ts';
import { findHome } from '../../facts/projects/home.ts';
import { projectNamed } from '../../facts/projects/which.ts';

export function createProjectFleet(ctx: Context): ProjectFleet {
  return {
    listProjects: async (by) => {
      const roster = await readRoster(ctx, by);
      return roster.projects.map((project) => rowOf(roster, project));
    },
    project: ({ name }, by) => shown(ctx, name, by),
    addProject: (input, by) => add(ctx, input, by),
    applyProject: (input, by) => apply(ctx, input, by),
    editProject: (input, by) => edit(ctx, input, by),
    trustProject: (input, by) => trust(ctx, input, by),
    removeProject: ({ name }, by) => remove(ctx, name, by),
  };
}

async function shown(ctx: Context, name: string, by: Actor): Promise<Outcome<ProjectPageView>> {
  const roster = await readRoster(ctx, by);
  const found = projectNamed(roster, name);
  return found.kind === 'refused' ? found : { kind: 'ok', value: pageOf(roster, found.project) };
}

/** Settings of a project without a drover.toml of its own, beside its source: nothing is copied, set up or checked. */
const PLAIN = { copyFiles: [], validate: [], validateTimeoutMs: 600_000, runHooks: false, preamble: '' } as const;

async function add(
  ctx: Context,
  { name, source, branch, home, checks }: Parameters<ProjectFleet['addProject']>[0],
  by: Actor,
): Promise<Outcome<ProjectPageView>> {
  const problem = homeProblem(await machineNames(ctx), { source, home });
  if (problem !== null) return problem;
  const config = { ...PLAIN, validateFrom: fromOf(checks), home };
  const project: NewProject = { id: ctx.ids.uuid(), name, source, root: null, defaultBranch: branch, config };
  const before = await ctx.store.transaction(async (tx) => {
    // A name that two people give at once belongs to one project.
    await tx.lockName(`project ${name}`);
    const known = await tx.lockProjectNamed(name);
    if (known === null) await save(ctx, tx, { project, by, action: 'project-added' });
    return known;
  });
  if (before === null || isSame(before, project)) return shown(ctx, name, by);
  return refused('name-taken', `The project "${name}" already exists (its source is ${before.source})`);
}

/** Applies a document. Refuses with `invalid`, `of-a-root`, and `has-workers`. */
async function apply(
  ctx: Context,
  { name, source, branch, toml, from, force, dryRun }: Parameters<ProjectFleet['applyProject']>[0],
  by: Actor,
): Promise<Outcome<AppliedView>> {
  // A project that a person elsewhere describes gets nothing of this process's environment.
  const outcome = parseConfig(toml, { root: '/', file: from, environment: readEnvironment({}) });
  if (outcome.kind === 'invalid') return refused('invalid', outcome.problems.map(formatProblem).join('\n'));
  const settings = projectSettings(outcome.config);
  const machines = await machineNames(ctx);
  const problem =
    homeProblem(machines, { source, home: settings.home }) ?? unknownMachine(machines, settings.validateOn);
  if (problem !== null) return problem;
  const config = { ...settings, appliedFrom: from };
  const document = { id: ctx.ids.uuid(), name, source, root: null, defaultBranch: branch, config };
  const applied = await applyDocument(ctx, document, { by: causeOf(by), force, dryRun });
  if (applied.kind === 'refused') return applied;
  const { changes, workers, outcome: what } = applied;
  if (!dryRun && what !== 'unchanged') ctx.log('info', `${by.name} applied ${from}: the project "${name}" is ${what}`);
  return { kind: 'ok', value: { name, outcome: what, dryRun, changes, workers } };
}

async function edit(
  ctx: Context,
  { name, source, branch, home, checks, validateOn }: Parameters<ProjectFleet['editProject']>[0],
  by: Actor,
): Promise<Outcome<ProjectPageView>> {
  const found = projectNamed(await readRoster(ctx, by), name);
  if (found.kind === 'refused') return found;
  const machines = await machineNames(ctx);
  const outcome = await ctx.store.transaction(async (tx): Promise<Refusal | null> => {
    const before = await tx.lockProject(found.project.id);
    if (before === null) return gone(name);
    // Reads the project again: another person may have changed it, or applied a document, since it was found.
    const { root, config } = before;
    if (config.appliedFrom !== undefined)
      return refused(
        'of-a-root',
        `The settings of "${name}" come from ${config.appliedFrom}: change them there, then run "drover project apply"`,
      );
    if (root !== null)
      return refused('of-a-root', `The settings of "${name}" come from ${root}/drover.toml: change them there`);
    const placed = { source: source ?? before.source, home: home === undefined ? (config.home ?? null) : home };
    const isPlaced = source !== undefined || home !== undefined;
    const problem = (isPlaced ? homeProblem(machines, placed) : null) ?? unknownMachine(machines, validateOn);
    if (problem !== null) return problem;
    const after: NewProject = {
      ...before,
      source: source ?? before.source,
      defaultBranch: branch ?? before.defaultBranch,
      config: {
        ...before.config,
        ...(home !== undefined && { home }),
        ...(checks !== undefined && { validateFrom: fromOf(checks) }),
        ...(validateOn !== undefined && { validateOn }),
      },
    };
    const workers = await tx.listRoster({ projectId: before.id });
    // The worktrees of these workers stand on commits of the old source or branch.
    if (workers.length > 0 && (after.source !== before.source || after.defaultBranch !== before.defaultBranch))
      return hasWorkers(name, workers);
    if (!isSame(before, after)) await save(ctx, tx, { project: after, by, action: 'project-changed' });
    return null;
  });
  return outcome ?? shown(ctx, name, by);
}

async function trust(
  ctx: Context,
  { name, kinds, isTrusted }: Parameters<ProjectFleet['trustProject']>[0],
  by: Actor,
): Promise<Outcome<ProjectPageView>> {
  const found = projectNamed(await readRoster(ctx, by), name);
  if (found.kind === 'refused') return found;
  const now = ctx.clock.now();
  const outcome = await ctx.store.transaction(async (tx): Promise<Refusal | null> => {
    const decisions = Object.fromEntries(kinds.map((kind) => [kind, isTrusted]));
    const saved = await saveTrust(tx, { projectId: found.project.id, decisions, by: causeOf(by), now });
    return saved === null ? gone(name) : null;
  });
  ctx.hints.due(now);
  return outcome ?? shown(ctx, name, by);
}

async function remove(ctx: Context, name: string, by: Actor): Promise<Outcome<ProjectPageView>> {
  const roster = await readRoster(ctx, by);
  const found = projectNamed(roster, name);
  if (found.kind === 'refused') return found;
  const { project } = found;
  const now = ctx.clock.now();
  const outcome = await ctx.store.transaction(async (tx): Promise<Refusal | null> => {
    if ((await tx.lockProject(project.id)) === null) return gone(name);
    const workers = await tx.listRoster({ projectId: project.id });
    if (workers.length > 0) return hasWorkers(name, workers);
    const [item] = await tx.listQueueItems({ projectId: project.id, status: ['open', 'taken'], limit: 1 });
    if (item !== undefined)
      return refused('has-queue', `Work waits in the queue of "${name}": see "drover queue", and drop it first`);
    await tx.removeProject(project.id, now);
    const about = `project ${name}`;
    await tx.audit(audited({ at: now, by: causeOf(by), action: 'project-removed', about }));
    return null;
  });
  if (outcome !== null) return outcome;
  ctx.log('info', `${by.name} removed the project "${name}"`, { projectId: project.id });
  return { kind: 'ok', value: pageOf(roster, project) };
}

async function save(
  ctx: Context,
  tx: StoreTransaction,
  { project, by, action }: { readonly project: NewProject; readonly by: Actor; readonly action: string },
): Promise<void> {
  const now = ctx.clock.now();
  await tx.saveProject(project, now);
  const { name, source, defaultBranch, config } = project;
  const details = { source, branch: defaultBranch, home: config.home ?? null };
  await tx.audit(audited({ at: now, by: causeOf(by), action, about: `project ${name}`, details }));
  ctx.log('info', `${by.name}: ${action} "${name}"`, details);
}

function fromOf(checks: 'none' | 'repository'): 'config' | 'repository' {
  return checks === 'repository' ? 'repository' : 'config';
}

/** Tells what is wrong with the home. A directory lies on one machine, which has to be named; an address on none. */
function homeProblem(
  names: readonly string[],
  { source, home }: { readonly source: string; readonly home: string | null },
): Refusal | null {
  if (isAddress(source)) {
    if (home === null) return null;
    return refused('invalid', 'Every machine can reach an address: leave the home out, which is only for a directory');
  }
  const known = `there are: ${names.join(', ') || 'none'}`;
  if (home === null)
    return refused(
      'invalid',
      `The machine of the directory "${source}" is missing: give it with --home or as repo.home of the file; ${known}`,
    );
  return names.includes(home) ? null : refused('not-found', `There is no machine "${home}"; ${known}`);
}

/** Refuses a mistyped name, which would never be connected. */
function unknownMachine(names: readonly string[], wanted: readonly string[] = []): Refusal | null {
  const name = wanted.find((one) => !names.includes(one));
  if (name === undefined) return null;
  return refused('not-found', `There is no machine "${name}"; there are: ${names.join(', ') || 'none'}`);
}

async function machineNames(ctx: Context): Promise<readonly string[]> {
  return (await ctx.store.listMachines()).filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
}

function isSame(before: Project, after: NewProject): boolean {
  return (
    before.source === after.source &&
    before.defaultBranch === after.defaultBranch &&
    (before.config.home ?? null) === (after.config.home ?? null) &&
    before.config.validateFrom === after.config.validateFrom &&
    (before.config.validateOn ?? []).join() === (after.config.validateOn ?? []).join()
  );
}

function gone(name: string): Refusal {
  return { kind: 'refused', code: 'not-found', message: `The project "${name}" no longer exists` };
}

function hasWorkers(project: string, workers: readonly { readonly name: string }[]): Refusal {
  const names = workers.map(({ name }) => name).join(', ');
  const message = `"${project}" has workers (${names}): remove them with "drover nuke NAME" first`;
  return { kind: 'refused', code: 'has-workers', message };
}

function rowOf({ workers }: Pick<Roster, 'workers'>, { id, name, source, defaultBranch }: Project): ProjectView {
  return { id, name, source, defaultBranch, workers: workers.filter(({ projectId }) => projectId === id).length };
}

function pageOf(roster: Roster, project: Project): ProjectPageView {
  const { machines, workers } = roster;
  return {
    ...rowOf(roster, project),
    home: isAddress(project.source) ? null : homeOf(project, machines),
    checks: project.config.validateFrom === 'repository' ? 'repository' : isDescribed(project) ? 'config' : 'none',
    validateOn: project.config.validateOn ?? [],
    follow: project.config.follow ?? 'nothing',
    root: project.root,
    appliedFrom: project.config.appliedFrom ?? null,
    trust: TRUST_KINDS.map((kind) => trustOf(project, kind)),
    workerNames: workers.filter(({ projectId }) => projectId === project.id).map(({ name }) => name),
    checkouts: machines.flatMap(({ name, checkouts }) => {
      const checkout = checkouts[project.id];
      if (checkout === undefined) return [];
      const { root, state, error, at } = checkout;
      return [{ machine: name, root, state, error: error === null ? null : error.message, at }];
    }),
  };
}

function trustOf({ trust }: Project, kind: TrustKind): ProjectPageView['trust'][number] {
  const isTrusted = trusts(trust, kind);
  const is = isTrusted === undefined ? 'asked' : isTrusted ? 'given' : 'refused';
  return { kind, lets: TRUST_MEANING[kind], is, isDecided: trust[kind] !== undefined };
}

/** Tells whether a document describes the project: the one in its root, or an applied one. */
function isDescribed({ root, config }: Project): boolean {
  return root !== null || config.appliedFrom !== undefined;
}

function homeOf(project: Project, machines: readonly Machine[]): NonNullable<ProjectPageView['home']> {
  const home = findHome(project, machines);
  return home.kind === 'found' ? { kind: 'machine', name: home.machine.name } : { kind: 'none', why: home.why };
}
