/** Puts a worker into a state that a test wants, slice by slice. Only for tests: product code uses the slices' own functions. */
import type { Slices, Worker } from '../worker/worker.ts';

/** Changes to a worker. A slice that is itself a union is given whole; for any other slice, the named fields. */
export type Changes = {
  readonly [K in keyof Slices]?: Slices[K] extends { readonly kind: string } ? Slices[K] : Partial<Slices[K]>;
} & Partial<Pick<Worker, 'deadlines'>>;

/** Returns the worker with these fields of its slices changed, and with every other field as it is. */
export function changeSlices(worker: Worker, changes: Changes): Worker {
  const { task = worker.task, account = worker.account, move = worker.move, deadlines = worker.deadlines } = changes;
  return {
    lifecycle: { ...worker.lifecycle, ...changes.lifecycle },
    worktree: { ...worker.worktree, ...changes.worktree },
    command: { ...worker.command, ...changes.command },
    session: { ...worker.session, ...changes.session },
    turn: { ...worker.turn, ...changes.turn },
    mailbox: { ...worker.mailbox, ...changes.mailbox },
    task,
    merge: { ...worker.merge, ...changes.merge },
    dialog: { ...worker.dialog, ...changes.dialog },
    account,
    budget: { ...worker.budget, ...changes.budget },
    checkpoint: { ...worker.checkpoint, ...changes.checkpoint },
    incident: { ...worker.incident, ...changes.incident },
    move,
    deadlines,
  };
}
