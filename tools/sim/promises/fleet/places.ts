// Checks the promises about where work goes: what a machine must be at the moment at which a worker or a task is put on it.
import { rootOn } from '@drover/coordinator/testing';
import type { MemoryDatabase } from '@drover/store/testing';
import type { EventRow, Machine, WorkerRow } from '@drover/store';
import type { WorkerSettings } from '@drover/protocol';
import type { Given } from '../../machine/parts.ts';
import type { Repository } from '../repository.ts';
import { makeCheck } from '../../runs/tally.ts';
import type { Check, Tally } from '../../runs/tally.ts';

const PROMISED = {
  closed: 'no worker and no task goes to a machine that is cordoned or drained',
  labels: 'no worker goes to a machine that lacks a label of it',
  room: 'no worker goes to a machine that is full',
  namesake: 'no worker goes to a machine that has one of its name in the same checkout',
  project: 'a worker goes to a machine that could not get its project only where it is said',
  role: 'an item of the queue goes to a worker of its project, with the role that it asks for',
  apart: 'workers of two projects never share a commit, a place or the name of a session',
  said: 'it is said why a worker is where it is',
} as const;

type Task = Pick<EventRow, 'id' | 'workerId' | 'workerName' | 'event' | 'reply'>;

export interface PlaceParts {
  readonly database: MemoryDatabase;
  readonly tally: Tally;
  readonly repository: Pick<Repository, 'projectOf'>;
}

/** A commit of the simulated git; a checkpoint has the id of its command. */
const COMMIT = /"([0-9a-f]0{20}[0-9a-f]{19})"/gu;

/** Milliseconds before a worker's creation in which reports of machines are not judged: the choice may be older. Clocks differ, too. */
const READ_BEFORE_MS = 10_000;

/** Watches one schedule. */
export class PlaceChecks {
  readonly #database: MemoryDatabase;
  readonly #tally: Tally;
  readonly #repository: Pick<Repository, 'projectOf'>;
  readonly #check: Check<typeof PROMISED>;

  constructor({ database, tally, repository }: PlaceParts) {
    this.#database = database;
    this.#tally = tally;
    this.#repository = repository;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** A machine does something for a worker. */
  checkActed({ workerId, name, project }: WorkerSettings, { machine, what }: Given): void {
    const row = this.#database.workers.get(workerId);
    for (const [, commit = ''] of JSON.stringify(what).matchAll(COMMIT)) {
      const of = this.#repository.projectOf(commit) ?? project.id;
      this.#check('apart', of === project.id, `${name}: ${what.kind} names ${commit}, which is of another project`);
    }
    if (row === undefined) return;
    this.#check('apart', row.projectId === project.id, `${name}: ${what.kind} in the place of another project`);
    const at = [...this.#database.machines.values()].find((one) => one.name === machine);
    if (at === undefined || !placesOf(row).includes(at.id)) return;
    for (const one of this.#database.workers.values())
      if (one.name === name && one.id !== workerId && placesOf(one).includes(at.id))
        this.#check(
          'apart',
          this.#isApart(row, one, at),
          `${name}: ${machine} has two workers of that name in one place`,
        );
  }

  /** A row was written. `before` is undefined for a new worker. */
  checkRow(row: WorkerRow, before: WorkerRow | undefined): void {
    const { move } = row.state;
    if (before === undefined) return this.#checkNew(row);
    const hasBegun = before.state.move.kind === 'none' && move.kind !== 'none';
    if (hasBegun) this.#checkPlace(row, move.route.to.id);
    if (row.machineId !== before.machineId) this.#checkSaid(row);
  }

  /** A decision was stored: perhaps a task was given. */
  checkTask({ id, workerId, workerName, event, reply }: Task): void {
    if (event.kind !== 'start-requested' || reply.kind === 'refused') return;
    // A person brings it back to a checkpoint of its own: it goes on with a task that it had.
    for (const next of this.#database.events.values())
      if (next.id > id && next.workerId === workerId && next.event.kind === 'restore-requested') return;
    const row = this.#database.workers.get(workerId);
    const machine = row === undefined ? undefined : this.#database.machines.get(row.machineId);
    if (machine !== undefined) this.#checkOpen(workerName, machine);
    const item = [...this.#database.queueItems.values()].find(({ taskId }) => taskId === event.taskId);
    if (item === undefined || row === undefined) return;
    const role = item.source['role'] ?? row.options.role;
    const isFit = role === row.options.role && item.projectId === row.projectId;
    this.#check('role', isFit, `${workerName}: takes an item for a ${String(role)}, or of another project`);
  }

  #checkNew(row: WorkerRow): void {
    this.#checkPlace(row, row.machineId);
    this.#checkSaid(row);
    const checkout = this.#database.machines.get(row.machineId)?.checkouts[row.projectId];
    if (checkout?.state !== 'failed' || checkout.at > row.createdAt - READ_BEFORE_MS) return;
    const isSaid = row.options.chosen?.machine?.why.includes('failed') === true;
    this.#check('project', isSaid, `${row.name}: goes where its project could not be had, and nobody says so`);
  }

  #checkPlace(row: WorkerRow, machineId: string): void {
    const { name, projectId, options } = row;
    const machine = this.#database.machines.get(machineId);
    // The machine was taken out of the fleet at that moment.
    if (machine === undefined) return;
    this.#checkOpen(name, machine);
    const lacks = (options.labels ?? []).filter((label) => !machine.labels.includes(label));
    this.#check('labels', lacks.length === 0, `${name}: goes to ${machine.name}, which lacks ${lacks.join(', ')}`);
    const there = [...this.#database.workers.values()].filter((one) => placesOf(one).includes(machineId));
    const isFit = machine.capacity === null || there.length <= machine.capacity;
    this.#check('room', isFit, `${name}: goes to ${machine.name}, with ${there.length} of ${machine.capacity} workers`);
    const namesake = there.find((one) => one.name === name && one.projectId !== projectId);
    const isApart = namesake === undefined || this.#isApart(row, namesake, machine);
    this.#check('namesake', isApart, `${name}: goes to ${machine.name}, which has a worker of that name`);
  }

  #checkOpen(name: string, { name: machine, cordon }: Machine): void {
    this.#check('closed', cordon === null, `${name}: new work on ${machine}, which is closed by ${cordon?.by}`);
  }

  /** Tells whether two workers of one name have two worktrees: each is in the checkout of its project. */
  #isApart(one: WorkerRow, other: WorkerRow, machine: Machine): boolean {
    const [root, another] = [one, other].map(({ projectId }) => {
      const project = this.#database.projects.get(projectId);
      return project === undefined ? null : rootOn(project, machine);
    });
    return root !== another;
  }

  /** Checks the reason that `drover why` gives. */
  #checkSaid({ name, machineId, options: { chosen } }: WorkerRow): void {
    if (!this.#database.machines.has(machineId)) return;
    const isSaid = chosen?.machine?.id === machineId && chosen.machine.why !== '';
    this.#check('said', isSaid, `${name}: is on a machine, and nothing says why`);
  }
}

/** The machines on which a worker takes a place: its own, and the one to which it moves. */
function placesOf({ machineId, state: { move } }: WorkerRow): readonly string[] {
  return move.kind === 'none' || move.kind === 'returning' ? [machineId] : [machineId, move.route.to.id];
}
