/** Puts states and times into words. */
import type { WorkerView } from '@drover/api';

/** A worker's state as people read it. */
export const STATUS_WORDS: Readonly<Record<WorkerView['status'], string>> = {
  idle: 'idle',
  working: 'working',
  needs_input: 'needs input',
  needs_review: 'needs review',
  rejected: 'sent back',
  rebasing: 'rebasing',
  error: 'error',
  offline: 'offline',
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Writes a span: `3 s`, `12 min`, `2 h 5 min`, `3 d 4 h`. A span below zero, by a clock that is off, counts as none. */
export function spanText(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE_MS) return `${Math.floor(span / 1_000)} s`;
  if (span < HOUR_MS) return `${Math.floor(span / MINUTE_MS)} min`;
  if (span < DAY_MS)
    return twoParts([Math.floor(span / HOUR_MS), 'h'], [Math.floor((span % HOUR_MS) / MINUTE_MS), 'min']);
  return twoParts([Math.floor(span / DAY_MS), 'd'], [Math.floor((span % DAY_MS) / HOUR_MS), 'h']);
}

type Part = readonly [count: number, unit: string];

function twoParts(first: Part, [count, unit]: Part): string {
  return count === 0 ? first.join(' ') : `${first.join(' ')} ${count} ${unit}`;
}

/** Writes bytes in binary units: `3.4 GiB`. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const count = bytes / 1024 ** power;
  return `${count < 10 && power > 0 ? count.toFixed(1) : Math.round(count)} ${units[power] ?? ''}`;
}

/** Says in one phrase why a worker does not go on, or what it does: the first that holds. */
export function reasonOf(worker: WorkerView): string {
  const { accepting, heldUp, brokenBase, moving, offered, stopping, note } = worker;
  if (heldUp !== null) return heldUp;
  if (brokenBase !== null) return `the default branch fails the checks at ${brokenBase.slice(0, 7)}`;
  if (accepting !== null) return accepting;
  if (moving !== null) return `moves: ${moving}`;
  if (offered !== null) return `waits for people to merge ${offered}`;
  return stopping ? 'its task is over; its agent is stopping' : note;
}

/** Shortens a prompt to the line that a table has room for. */
export function titleOf(prompt: string | null): string {
  const [first = ''] = (prompt ?? '').trim().split('\n', 1);
  return first;
}
