// Checks the promises about tasks that a person cancelled: nothing of them is typed afterwards, and what there is of the work is saved.
import { inHand } from '@drover/core';
import type { Worker } from '@drover/core';
import type { EventRow, WorkerRow } from '@drover/store';
import type { MemoryDatabase } from '@drover/store/testing';
import { count, makeCheck } from '../runs/tally.ts';
import type { Check, Tally } from '../runs/tally.ts';

const PROMISED = {
  over: 'a task that was cancelled is in no hands',
  typed: 'nothing of a task that was cancelled is typed afterwards',
} as const;

type Heard = Pick<EventRow, 'workerId' | 'event' | 'reply' | 'statusBefore'>;

/** A task that was cancelled. */
interface Cancelled {
  readonly task: string;
  /** Mark by which its words are known. */
  readonly mark: string;
  /** The newest command before that, or of another task that had the same words. */
  seq: number;
}

/** Watches one schedule. Earlier reviews and accepts of such a task are for the checks of merges. */
export class CancelChecks {
  readonly #tally: Tally;
  readonly #database: MemoryDatabase;
  /** Cancelled tasks by worker. */
  readonly #cancelled = new Map<string, readonly Cancelled[]>();
  readonly #check: Check<typeof PROMISED>;

  constructor(tally: Tally, database: MemoryDatabase) {
    this.#tally = tally;
    this.#database = database;
    this.#check = makeCheck(this.#tally, PROMISED);
  }

  /** @returns whether a task was cancelled by it. */
  noteEvent({ workerId, event, reply, statusBefore }: Heard): boolean {
    // A checkpoint brings back also the words that its worker had.
    if (event.kind === 'restore-requested') this.#cancelled.delete(workerId);
    if (event.kind !== 'cancel-requested' || reply.kind !== 'accepted') return false;
    const { task } = event;
    const mark = /#\d+#/.exec(this.#database.tasks.get(task)?.prompt ?? '')?.[0];
    const row = this.#database.workers.get(workerId);
    if (mark === undefined || row === undefined) return true;
    count(this.#tally.faults, `note: a task is cancelled that was ${statusBefore}`);
    const one = { task, mark, seq: row.state.command.seq };
    this.#cancelled.set(workerId, [...(this.#cancelled.get(workerId) ?? []), one]);
    return true;
  }

  /** A row was written. */
  checkRow({ id, name, state }: Pick<WorkerRow, 'id' | 'name' | 'state'>): void {
    for (const one of this.#cancelled.get(id) ?? []) {
      const { task, mark } = one;
      this.#check('over', inHand(state.task)?.id !== task, `${name}: has a task in hand that was cancelled`);
      // The work queue gives the same words again.
      const isGiven = this.#database.tasks.get(inHand(state.task)?.id ?? '')?.prompt.includes(mark) === true;
      if (isGiven) one.seq = state.command.seq;
      this.#check('typed', !isTyped(state, one), `${name}: ${mark} is typed, and its task was cancelled`);
    }
  }
}

/** Tells whether the words are on their way to its agent, by a command that is newer than the cancel. */
function isTyped({ command: { inFlight } }: Worker, { mark, seq }: Pick<Cancelled, 'mark' | 'seq'>): boolean {
  const sent = inFlight?.command;
  return sent?.kind === 'deliver' && inFlight !== null && inFlight.seq > seq && sent.text.includes(mark);
}
