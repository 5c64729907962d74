/** Holds Drover's knowledge of one worker: slices, each with an owner, and the one fold that tells them what happened. */
import { ACCOUNT } from './account.ts';
import type { Account } from './account.ts';
import { BUDGET } from './budget.ts';
import type { Budgets } from './budget.ts';
import { CHECKPOINT } from './checkpoint.ts';
import type { Checkpoints } from './checkpoint.ts';
import { COMMAND } from './command.ts';
import type { CommandSlot } from './command.ts';
import type { DeadlineName } from './deadline.ts';
import { DIALOG } from './dialog.ts';
import type { Dialogs } from './dialog.ts';
import { INCIDENT } from './incident.ts';
import type { Incidents } from './incident.ts';
import { LIFECYCLE } from './lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import { MAILBOX } from './mailbox.ts';
import type { Mailbox } from './mailbox.ts';
import { MERGE } from '../merge/state.ts';
import type { Merge } from '../merge/state.ts';
import { MOVE } from './move.ts';
import type { Move } from './move.ts';
import { SESSION } from './session.ts';
import type { Session } from './session.ts';
import type { Cause, Slice, When } from './slice.ts';
import { TASK } from './task.ts';
import type { Task } from './task.ts';
import { TURN } from './turn.ts';
import type { Turn } from './turn.ts';
import { WORKTREE } from './worktree.ts';
import type { Worktree } from './worktree.ts';

/** The slices. Each is described, and written, in the file of its name. */
export interface Slices {
  readonly lifecycle: Lifecycle;
  readonly worktree: Worktree;
  readonly command: CommandSlot;
  readonly session: Session;
  readonly turn: Turn;
  readonly mailbox: Mailbox;
  readonly task: Task;
  readonly merge: Merge;
  readonly dialog: Dialogs;
  readonly account: Account;
  readonly budget: Budgets;
  readonly checkpoint: Checkpoints;
  readonly incident: Incidents;
  readonly move: Move;
}

/**
 * Complete knowledge of the policy about one worker: the row that a coordinator loads, decides on and saves. The row survives JSON unchanged.
 * Times are epoch milliseconds of the coordinator, except those of screens and turns, which are the machine's and comparable only with one
 * another.
 */
export interface Worker extends Slices {
  /** Whole set of armed deadlines, epoch milliseconds. */
  readonly deadlines: Readonly<Partial<Record<DeadlineName, number>>>;
}

const SLICES: { readonly [K in keyof Slices]: Slice<Slices[K]> } = {
  lifecycle: LIFECYCLE,
  worktree: WORKTREE,
  command: COMMAND,
  session: SESSION,
  turn: TURN,
  mailbox: MAILBOX,
  task: TASK,
  merge: MERGE,
  dialog: DIALOG,
  account: ACCOUNT,
  budget: BUDGET,
  checkpoint: CHECKPOINT,
  incident: INCIDENT,
  move: MOVE,
};

/** Returns a worker that was just added: no worktree, no session, wanted up. */
export function newWorker(): Worker {
  return eachSlice((slice) => slice.initial, {});
}

/** Tells every slice what happened. The slices are written out, because every fifth decision comes here: `eachSlice` takes twice as long. */
export function fold(worker: Worker, cause: Cause, when: When): Worker {
  return {
    lifecycle: SLICES.lifecycle.on[cause](worker.lifecycle, when),
    worktree: SLICES.worktree.on[cause](worker.worktree, when),
    command: SLICES.command.on[cause](worker.command, when),
    session: SLICES.session.on[cause](worker.session, when),
    turn: SLICES.turn.on[cause](worker.turn, when),
    mailbox: SLICES.mailbox.on[cause](worker.mailbox, when),
    task: SLICES.task.on[cause](worker.task, when),
    merge: SLICES.merge.on[cause](worker.merge, when),
    dialog: SLICES.dialog.on[cause](worker.dialog, when),
    account: SLICES.account.on[cause](worker.account, when),
    budget: SLICES.budget.on[cause](worker.budget, when),
    checkpoint: SLICES.checkpoint.on[cause](worker.checkpoint, when),
    incident: SLICES.incident.on[cause](worker.incident, when),
    move: SLICES.move.on[cause](worker.move, when),
    deadlines: worker.deadlines,
  };
}

function eachSlice(
  change: <K extends keyof Slices>(slice: Slice<Slices[K]>, name: K) => Slices[K],
  deadlines: Worker['deadlines'],
): Worker {
  return {
    lifecycle: change(SLICES.lifecycle, 'lifecycle'),
    worktree: change(SLICES.worktree, 'worktree'),
    command: change(SLICES.command, 'command'),
    session: change(SLICES.session, 'session'),
    turn: change(SLICES.turn, 'turn'),
    mailbox: change(SLICES.mailbox, 'mailbox'),
    task: change(SLICES.task, 'task'),
    merge: change(SLICES.merge, 'merge'),
    dialog: change(SLICES.dialog, 'dialog'),
    account: change(SLICES.account, 'account'),
    budget: change(SLICES.budget, 'budget'),
    checkpoint: change(SLICES.checkpoint, 'checkpoint'),
    incident: change(SLICES.incident, 'incident'),
    move: change(SLICES.move, 'move'),
    deadlines,
  };
}
