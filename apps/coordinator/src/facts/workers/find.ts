/** Finds the worker that a request means: by name, or by the command's default. */
import { isAccepting, runOf } from '@drover/core';
import type { Actor, Refusal, WorkerView } from '@drover/api';
import type { EventFilter, Machine, Project, WorkerRow } from '@drover/store';
import { judged } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { machineState } from '../../context/leases.ts';
import type { Judged } from '../../context/leases.ts';
import { workerView } from './views.ts';

/** Small data that changes rarely, read once for one request. */
export interface Roster extends Judged {
  readonly workers: readonly WorkerRow[];
  readonly projects: readonly Project[];
  readonly machines: readonly Machine[];
}

/** Scope of a caller: one project, one worker, or with null everything. */
export type Reach = Pick<Actor, 'project' | 'worker'>;

/** Scope without bounds: for Drover's own actions. */
export const EVERYTHING: Reach = { project: null, worker: null };

/**
 * Reads the roster as it is now, within the caller's scope: a thing outside is not found, like a thing that does not exist. Machines are
 * shared by all projects. Rows may have changed before a request is decided: the policy decides on the row itself.
 */
export async function readRoster(ctx: Context, reach: Reach): Promise<Roster> {
  const { store } = ctx;
  const [workers, projects, machines] = await Promise.all([
    store.listWorkers(within(reach)),
    store.listProjects(),
    store.listMachines(),
  ]);
  return {
    workers: workers.filter((row) => reachesRow(reach, row)),
    projects: projects.filter(({ id }) => reaches(reach, { project: id, worker: reach.worker })),
    machines,
    ...judged(ctx),
  };
}

/** Reads the projects that a caller reaches. */
export async function readProjects({ store }: Context, reach: Reach): Promise<Pick<Roster, 'projects'>> {
  const projects = await store.listProjects();
  return { projects: projects.filter(({ id }) => reaches(reach, { project: id, worker: reach.worker })) };
}

/** Tells whether a thing of this project and this worker (null: none) is within a caller's scope. */
export function reaches(reach: Reach, of: { readonly project: string; readonly worker: string | null }): boolean {
  return (
    (reach.project === null || reach.project === of.project) && (reach.worker === null || reach.worker === of.worker)
  );
}

/** Bounds lists of things that have only a worker's id: ids within scope, except removed workers; or no bounds. */
export async function ownWorkers(ctx: Context, reach: Reach): Promise<{ readonly workerIds?: readonly string[] }> {
  if (reach.project === null) return {};
  const { workers } = await readRoster(ctx, reach);
  return { workerIds: workers.map(({ id }) => id) };
}

/** Filters the decision log to the lines within a caller's scope. */
export function eventsInReach({ project, worker }: Reach): Pick<EventFilter, 'of'> {
  if (worker !== null) return { of: { workerId: worker } };
  return project === null ? {} : { of: { projectId: project } };
}

/** Shows a worker to people, with its project and machine from the roster. */
export function viewOf(roster: Roster, row: WorkerRow): WorkerView {
  const project = roster.projects.find(({ id }) => id === row.projectId);
  const machine = roster.machines.find(({ id }) => id === row.machineId);
  const heldUp = isAccepting(row.state.merge.step) ? heldUpBy(roster, row) : null;
  return workerView(row, { project, machine, judged: roster, heldUp });
}

/** Names the silent machine that stops its accepted work, as a clause: the worker's own, or that of the worker that merges first. */
function heldUpBy({ workers, projects, machines, ...judging }: Roster, row: WorkerRow): string | null {
  const lost = ({ machineId }: WorkerRow): string | null => {
    const machine = machines.find(({ id }) => id === machineId);
    const state = machineState(machine, judging);
    return state === 'connected' ? null : `machine "${machine?.name ?? machineId}" is ${state}`;
  };
  const own = lost(row);
  if (own !== null) return `its ${own}`;
  const merging = projects.find(({ id }) => id === row.projectId)?.mergeWorkerId;
  const first = workers.find(({ id }) => id === merging && id !== row.id);
  const others = first === undefined ? null : lost(first);
  return first === undefined || others === null ? null : `"${first.name}" goes first, whose ${others}`;
}

/**
 * Shows a worker to people. Reads its project and machine, and, while its accepted work waits, the worker that merges first, if the
 * caller reaches that worker: nothing of the others.
 */
export async function viewWorker(ctx: Context, reach: Reach, row: WorkerRow): Promise<WorkerView> {
  const { store } = ctx;
  const project = await store.readProject(row.projectId);
  const first = isAccepting(row.state.merge.step) ? (project?.mergeWorkerId ?? row.id) : row.id;
  const other = first === row.id ? null : await store.readWorker(first);
  const workers = other !== null && reachesRow(reach, other) ? [row, other] : [row];
  const ids = new Set(workers.map(({ machineId }) => machineId));
  const machines = await Promise.all([...ids].map((id) => store.readMachine(id)));
  const projects = project === null ? [] : [project];
  return viewOf({ workers, projects, machines: machines.filter((one) => one !== null), ...judged(ctx) }, row);
}

/** The worker that was found, or a refusal. */
export type Found = { readonly kind: 'found'; readonly row: WorkerRow } | Refusal;

/** Finds a worker as `findByName` does, and reads only workers of that name. */
export async function findWorker({ store }: Context, reach: Reach, ref: string): Promise<Found> {
  const name = ref.split('/').at(-1) ?? '';
  const [workers, projects] = await Promise.all([
    store.listWorkers({ ...within(reach), name }),
    ref.includes('/') ? store.listProjects() : [],
  ]);
  const named = workers.filter((row) => reachesRow(reach, row));
  // If several match, the answer names their projects.
  const known = named.length > 1 && projects.length === 0 ? await store.listProjects() : projects;
  const found = findByName({ workers: named, projects: known }, ref);
  if (found.kind === 'found' || found.code !== 'not-found') return found;
  return notFound(
    (await store.listRoster(within(reach))).filter((row) => reachesRow(reach, row)),
    ref,
  );
}

/** Reads the workers whose work waits for a person's review, as far as the caller reaches; that of a run's task waits for its run. */
export async function readReviewable({ store }: Context, reach: Reach): Promise<readonly WorkerRow[]> {
  const waiting = await store.listWorkers({ ...within(reach), status: 'needs_review' });
  return waiting.filter((row) => reachesRow(reach, row) && runOf(row.state.task) === null);
}

function within({ project }: Reach): { readonly projectId?: string } {
  return project === null ? {} : { projectId: project };
}

/** Tells whether a worker is within a caller's scope. */
export function reachesRow(reach: Reach, { id, projectId }: Pick<WorkerRow, 'id' | 'projectId'>): boolean {
  return reaches(reach, { project: projectId, worker: id });
}

/**
 * Finds a worker by its name, or by `project/name`. Refuses with `not-found`, naming the existing workers, or with `invalid` where
 * several have the name.
 */
export function findByName(roster: Pick<Roster, 'workers' | 'projects'>, ref: string): Found {
  const { workers } = roster;
  const [name = '', project] = ref.split('/').toReversed();
  const named = workers.filter(
    (row) => row.name === name && (project === undefined || projectOf(roster, row) === project),
  );
  const [row] = named;
  if (row === undefined) return notFound(workers, ref);
  if (named.length === 1) return { kind: 'found', row };
  const refs = named
    .map((one) => `${projectOf(roster, one)}/${one.name}`)
    .toSorted()
    .join(', ');
  return { kind: 'refused', code: 'invalid', message: `There are several workers "${name}": choose one of ${refs}` };
}

function projectOf({ projects }: Pick<Roster, 'projects'>, { projectId }: WorkerRow): string {
  return projects.find(({ id }) => id === projectId)?.name ?? projectId;
}

function notFound(workers: readonly Pick<WorkerRow, 'name'>[], name: string): Refusal {
  const names = workers.map((worker) => worker.name).toSorted();
  const known = names.length === 0 ? 'there are none yet: run "drover add NAME"' : `there are: ${names.join(', ')}`;
  return { kind: 'refused', code: 'not-found', message: `There is no worker "${name}"; ${known}` };
}

/** Finds the worker that has waited longest for review. */
export async function findForReview(ctx: Context, reach: Reach): Promise<Found> {
  const [oldest] = (await readReviewable(ctx, reach)).toSorted((one, other) => one.updatedAt - other.updatedAt);
  if (oldest !== undefined) return { kind: 'found', row: oldest };
  return { kind: 'refused', code: 'nothing-to-review', message: 'No worker waits for review' };
}
