/** The slice `command`: the one command that the machine carries out for this worker, and the pause after failed ones. */
import type { Command, CommandKind } from '../machine/commands.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/** The one command that a machine is carrying out for this worker. Times are epoch milliseconds. */
export interface InFlight {
  readonly seq: number;
  readonly command: Command;
  readonly since: number;
  /** Time from which the command counts as overdue. */
  readonly dueAt: number;
  /** Number of times that the command was overdue without a result. */
  readonly overdue: number;
}

/** Commands of this worker. */
export interface CommandSlot {
  /** The sequence number of the last command. */
  readonly seq: number;
  readonly inFlight: InFlight | null;
  /** Time before which no command is given, epoch milliseconds; null: at once. */
  readonly holdUntil: number | null;
  /** Number of failed commands since the last time that none of `failed` was left. */
  readonly failures: number;
  /** Kinds of commands that failed and were not carried out since; absent: none. */
  readonly failed?: readonly CommandKind[];
}

const uncounted = (slot: CommandSlot): CommandSlot => forgetFailures(slot);

/** Slice without a command yet. */
export const COMMAND = {
  initial: { seq: 0, inFlight: null, holdUntil: null, failures: 0 },
  on: {
    'task-begun': uncounted,
    'task-ended': uncounted,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': uncounted,
    'person-resumed': (slot: CommandSlot): CommandSlot => ({ ...forgetFailures(slot), holdUntil: null }),
    'given-up': uncounted,
  },
} as const satisfies Slice<CommandSlot>;

/** Puts the next command in flight. The caller has seen that none is. */
export function putInFlight(
  slot: CommandSlot,
  command: Command,
  time: { now: number; timeoutMs: number },
): CommandSlot {
  const seq = slot.seq + 1;
  return { ...slot, seq, inFlight: { seq, command, since: time.now, dueAt: time.now + time.timeoutMs, overdue: 0 } };
}

/** Lands the command in flight: it has ended, or its outcome is not awaited any more. */
export function land(slot: CommandSlot): CommandSlot {
  return { ...slot, inFlight: null };
}

/** Awaits the command in flight until `dueAt`; it was overdue that many times. */
export function awaitLonger(
  slot: CommandSlot,
  inFlight: InFlight,
  late: { dueAt: number; overdue: number },
): CommandSlot {
  return { ...slot, inFlight: { ...inFlight, ...late } };
}

/** Holds commands until this time, epoch milliseconds; null ends the pause. */
export function holdUntil(slot: CommandSlot, at: number | null): CommandSlot {
  return { ...slot, holdUntil: at };
}

export function countFailure(slot: CommandSlot, kind: CommandKind): CommandSlot {
  const { failures, failed = [] } = slot;
  const name = nameOf(kind);
  return { ...slot, failures: failures + 1, failed: failed.includes(name) ? failed : [...failed, name] };
}

/** Counts a success. Failed commands of other kinds are still to come: their failures in a row are not over. */
export function countSuccess(slot: CommandSlot, kind: CommandKind): CommandSlot {
  const failed = slot.failed?.filter((one) => one !== nameOf(kind)) ?? [];
  return failed.length > 0 ? { ...slot, failed } : forgetFailures(slot);
}

/** Forgets the failures in a row. */
export function forgetFailures({ seq, inFlight, holdUntil: until }: CommandSlot): CommandSlot {
  return { seq, inFlight, holdUntil: until, failures: 0 };
}

/** Names `open` and `respawn` the same, because either starts a program. */
function nameOf(kind: CommandKind): CommandKind {
  return kind === 'respawn' ? 'open' : kind;
}

/** Counts on from the last command that the machine has seen. */
export function countFrom(slot: CommandSlot, seq: number): CommandSlot {
  return { ...slot, seq };
}
