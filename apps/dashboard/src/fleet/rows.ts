/** Keeps the rows of the fleet as the coordinator tells them: a snapshot, then changes. */
import type { EscalationView, LiveMessage, WorkerView } from '@drover/api';

/** The connection over which the rows come. */
export type LineState =
  | { readonly kind: 'connecting' }
  /** `by`: asked again every few seconds, where no WebSocket passes. */
  | { readonly kind: 'open'; readonly by: 'socket' | 'asking' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'over'; readonly message: string };

/** Rows and their age. */
export interface Fleet {
  readonly line: LineState;
  /** Counts the WebSockets that have been opened. */
  readonly opened: number;
  /** The coordinator's time of the rows, epoch milliseconds; null: none have come yet. */
  readonly at: number | null;
  /** This computer's time when the coordinator was heard last; null: never. */
  readonly heardAt: number | null;
  readonly workers: ReadonlyMap<string, WorkerView>;
  readonly questions: ReadonlyMap<string, EscalationView>;
}

export const NO_ROWS: Fleet = {
  line: { kind: 'connecting' },
  opened: 0,
  at: null,
  heardAt: null,
  workers: new Map(),
  questions: new Map(),
};

/** Milliseconds without a word after which the rows count as stale. */
export const STALE_AFTER_MS = 15_000;

export function isStale({ heardAt }: Fleet, now: number): boolean {
  return heardAt !== null && now - heardAt > STALE_AFTER_MS;
}

/** Takes a message of the coordinator. Rows that did not change stay the same objects. */
export function takeMessage(fleet: Fleet, message: LiveMessage, heardAt: number): Fleet {
  switch (message.kind) {
    case 'snapshot': {
      const { at, workers, questions } = message;
      return { ...fleet, at, heardAt, workers: byId(workers), questions: byId(questions) };
    }
    case 'changed': {
      const { at, gone } = message;
      const workers = merged(fleet.workers, message.workers, gone);
      const questions = merged(fleet.questions, message.questions, gone);
      return { ...fleet, at, heardAt, workers, questions };
    }
    case 'alive':
      return { ...fleet, at: message.at, heardAt };
    case 'over':
      return { ...fleet, line: { kind: 'over', message: message.message } };
    default:
      // A newer coordinator says more.
      return message satisfies never;
  }
}

interface Row {
  readonly id: string;
}

function byId<T extends Row>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

function merged<T extends Row>(
  before: ReadonlyMap<string, T>,
  rows: readonly T[],
  gone: readonly string[],
): ReadonlyMap<string, T> {
  if (rows.length === 0 && !gone.some((id) => before.has(id))) return before;
  const now = new Map(before);
  for (const id of gone) now.delete(id);
  for (const row of rows) now.set(row.id, row);
  return now;
}
