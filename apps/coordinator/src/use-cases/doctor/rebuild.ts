/** Plans rows for workers that the database has lost and machines still have. */
import type { RebuildView } from '@drover/api';
import { branchOfWorker, rebuiltWorker, workerNameProblem } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import type { Inventory } from '@drover/protocol';
import type { WorkerOptions, WorkerRow } from '@drover/store';
import { defaultsOf } from '../../facts/workers/defaults.ts';
import type { WorkerDefaults } from '../../facts/workers/defaults.ts';
import type { DoctorFacts, Place } from './facts.ts';
import { gitFactsOf } from './repairs.ts';

/** A row to insert, and its first events. */
export interface PlannedRebuild extends RebuildView {
  readonly row: Omit<WorkerRow, 'version' | 'updatedAt'>;
  readonly events: readonly WorkerEvent[];
}

/** Defaults for facts that no machine remembers. */
export interface RebuildParts {
  readonly defaults: (name: string) => WorkerDefaults;
  readonly uuid: () => string;
}

/** Plans a row for every worktree on a worker's branch, and every session, whose worker has none. Touches no existing worker. */
export function plannedRebuilds(facts: DoctorFacts, parts: RebuildParts): readonly PlannedRebuild[] {
  return facts.places.flatMap((place) =>
    place.inventory === null ? [] : lostAt(facts, { place, inventory: place.inventory }, parts),
  );
}

function lostAt(
  facts: DoctorFacts,
  { place, inventory }: { readonly place: Place; readonly inventory: Inventory },
  parts: RebuildParts,
): readonly PlannedRebuild[] {
  const taken = new Set(
    facts.workers.filter(({ projectId }) => projectId === place.project.id).map(({ name }) => name),
  );
  const ids = new Set(facts.workers.map(({ id }) => id));
  return inventory.worktrees
    .filter(
      ({ name, gone, branch, rebasing }) =>
        !gone && (branch === branchOfWorker(name, place.project.config.branchPrefix) || rebasing),
    )
    .filter(({ name }) => !taken.has(name) && workerNameProblem(name) === null)
    .flatMap(({ name }) => rebuilt({ facts, place, inventory, parts, name, ids }));
}

interface Lost {
  readonly facts: DoctorFacts;
  readonly place: Place;
  readonly inventory: Inventory;
  readonly parts: RebuildParts;
  readonly name: string;
  /** Ids that have a row. */
  readonly ids: ReadonlySet<string>;
}

function rebuilt({ facts, place, inventory, parts, name, ids }: Lost): readonly PlannedRebuild[] {
  const session = inventory.sessions.find((one) => one.name === name && !ids.has(one.workerId));
  const settings = inventory.workers.find((one) => one.name === name && !ids.has(one.workerId));
  const id = session?.workerId ?? settings?.workerId ?? parts.uuid();
  const git = gitFactsOf(inventory, name);
  const base = inventory.branches.find((branch) => branch.name === name)?.base ?? null;
  if (git === null || base === null) return [];
  const before =
    git.ahead > 0 && !git.rebasing ? 'needs_review' : git.dirty > 0 || isAtWork(session) ? 'needs_input' : 'idle';
  const state = rebuiltWorker({
    before,
    note: `restored by "drover doctor --rebuild"`,
    base,
    git,
    conversation: session?.conversation ?? null,
    seq: inventory.commands[id] ?? 0,
    now: facts.now,
  });
  const { profiles: _, ...defaults } = defaultsOf(place.project, parts.defaults)(name);
  const options: WorkerOptions = {
    ...defaults,
    profile: settings?.profile ?? session?.profile ?? defaults.profile,
    ...(settings === undefined ? {} : ownOptions(settings)),
    chosen: { machine: { id: place.machine.id, why: `"drover doctor --rebuild" found it there` } },
  };
  const from = session === undefined ? 'its worktree' : 'its worktree and its session';
  const { machine, project } = place;
  const row = { id, projectId: project.id, machineId: machine.id, name, options, state, createdAt: facts.now };
  const does = `is restored from ${from} as ${before}: ${git.ahead} commit(s), ${git.dirty} changed file(s), profile ${options.profile}`;
  return [
    { key: `${project.id}:${name}`, worker: name, machine: machine.name, does, row, events: heard(session, from) },
  ];
}

/** Tells whether an agent may be at work. An agent that is not plainly idle is left to a person: a task given now would interrupt it. */
function isAtWork(session: Inventory['sessions'][number] | undefined): boolean {
  return session !== undefined && session.screen?.state.kind !== 'ready';
}

function ownOptions({
  model,
  skipPermissions,
  allowedTools,
  sessionWidth,
  sessionHeight,
}: Inventory['workers'][number]): Partial<WorkerOptions> {
  return { model, skipPermissions, allowedTools, sessionWidth, sessionHeight };
}

/** Lists the first events: the rebuild, then the session and its screen as they are: the policy takes over the session and starts nothing. */
function heard(session: Inventory['sessions'][number] | undefined, from: string): readonly WorkerEvent[] {
  // The session is known before any other decision, so that no second one is opened.
  const told: WorkerEvent = { kind: 'repair-requested', repair: { kind: 'rebuilt', from } };
  if (session === undefined) return [told];
  const { incarnation, dead, screen } = session;
  return [
    { kind: 'panes-listed', pane: { incarnation, dead } },
    ...(screen === null ? [] : [{ kind: 'screen-seen' as const, incarnation, reading: screen }]),
    told,
  ];
}
