/** Shares facts among the decisions of one transaction: each is read once, when first needed. */
import type { Consequences } from '@drover/core';
import type { Checkout, Machine, Project, StoreTransaction, WorkerRow } from '@drover/store';
import { Callable } from './escalations/callable.ts';
import type { Context } from '../context/context.ts';
import { keepInForce } from '../facts/policies/in-force.ts';
import type { PolicyInForce } from '../facts/policies/in-force.ts';
import { rootOn } from '../facts/projects/place.ts';
import type { Changes } from './changes.ts';

/** Shares facts among decisions, which note their changes to the facts here. */
export class Shared {
  readonly callable: Callable;
  readonly #tx: StoreTransaction;
  readonly #machines = new Map<string, Machine | null>();
  readonly #projects = new Map<string, Project>();
  readonly #policies = new Set<string>();

  constructor(tx: StoreTransaction) {
    this.#tx = tx;
    this.callable = new Callable(tx);
  }

  async machine(id: string): Promise<Machine | null> {
    const known = this.#machines.get(id);
    if (known !== undefined) return known;
    const machine = await this.#tx.readMachine(id);
    this.#machines.set(id, machine);
    return machine;
  }

  async project(row: WorkerRow): Promise<Project> {
    return this.#projects.get(row.projectId) ?? this.#keep(row, await this.#tx.readProject(row.projectId));
  }

  /** Locks the project from now on, and reads it again. */
  async lockProject(row: WorkerRow): Promise<Project> {
    return this.#keep(row, await this.#tx.lockProject(row.projectId));
  }

  #keep({ name, projectId }: WorkerRow, project: Project | null): Project {
    if (project === null)
      throw new Error(`The worker "${name}" belongs to a project that does not exist (${projectId})`);
    this.#projects.set(projectId, project);
    return project;
  }

  /** Sets the worker that merges. The project's row is locked. */
  setMergeWorker(project: Project, workerId: string | null, changes: Changes): void {
    this.#projects.set(project.id, { ...project, mergeWorkerId: workerId });
    changes.setMergeWorker(project.id, workerId);
  }

  /** Notes the result of a worktree's preparation, for which the machine makes the checkout if it is missing. */
  noteCheckout(
    said: Consequences['checkout'],
    { project, machine, now }: { readonly project: Project; readonly machine: Machine | null; readonly now: number },
    changes: Changes,
  ): void {
    const root = rootOn(project, machine);
    // Without these the machine was removed meanwhile.
    if (said === null || machine === null || root === null) return;
    const known = machine.checkouts[project.id];
    // An existing checkout stays, although a worktree of it could not be made.
    if (said.kind === 'failed' && known?.state === 'ready' && known.root === root) return;
    const error = said.kind === 'failed' ? { code: said.code, message: said.message } : null;
    const checkout: Checkout = { root, state: said.kind, error, at: now };
    if (isSame(checkout, known)) return;
    this.#machines.set(machine.id, { ...machine, checkouts: { ...machine.checkouts, [project.id]: checkout } });
    changes.saveCheckout({ machineId: machine.id, projectId: project.id }, checkout);
  }

  /** Keeps the policy beside the first decision under it. @returns a function to call after the commit. */
  async keepPolicy(ctx: Context, of: { readonly inForce: PolicyInForce; readonly now: number }): Promise<() => void> {
    const { version } = of.inForce;
    if (this.#policies.has(version)) return () => {};
    this.#policies.add(version);
    return keepInForce(ctx, this.#tx, of);
  }
}

function isSame(one: Checkout, other: Checkout | undefined): boolean {
  return (
    one.root === other?.root &&
    one.state === other.state &&
    one.error?.code === other.error?.code &&
    one.error?.message === other.error?.message
  );
}
