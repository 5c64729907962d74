/** Filters and sorts the table of all workers by the address of the page. */
import type { WorkerView } from '@drover/api';

export const SORTS = ['state', 'name', 'age', 'machine'] as const;
export type Sort = (typeof SORTS)[number];

/** Search of the page's address. Absent: everything, by state. */
export interface TableSearch {
  readonly q?: string | undefined;
  readonly sort?: Sort | undefined;
}

/** Reads the search of an address: a wrong part counts as absent. */
export function readTableSearch({ q, sort }: Readonly<Record<string, unknown>>): TableSearch {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(SORTS.includes(sort as Sort) && { sort: sort as Sort }),
  };
}

/** States that need a person come first, then those that move. */
const SEQUENCE: readonly WorkerView['status'][] = [
  'error',
  'needs_input',
  'needs_review',
  'working',
  'rejected',
  'rebasing',
  'idle',
  'offline',
];

/** Lists the rows that hold every word of the filter, sorted. */
export function rowsOf(workers: Iterable<WorkerView>, { q = '', sort = 'state' }: TableSearch): readonly WorkerView[] {
  const words = q.toLowerCase().split(/\s+/u).filter(Boolean);
  return [...workers]
    .filter((worker) => words.every((word) => textOf(worker).includes(word)))
    .toSorted((one, other) => COMPARE[sort](one, other) || byName(one, other));
}

function textOf({ name, project, machine, status, note, prompt, branch }: WorkerView): string {
  const words = status.replace('_', ' ');
  return `${name} ${project} ${machine} ${words} ${note} ${prompt ?? ''} ${branch}`.toLowerCase();
}

/** Compares names as people do: w2 before w10. One for all, because making one takes longer than a thousand comparisons. */
export const byNumber = new Intl.Collator(undefined, { numeric: true }).compare;

type Compare = (one: WorkerView, other: WorkerView) => number;

const byName: Compare = (one, other) => {
  const [key, otherKey] = [nameKey(one), nameKey(other)];
  return key < otherKey ? -1 : key === otherKey ? 0 : 1;
};

/** Sorts in the sequence of `byNumber`; rows that did not change keep theirs, because hundreds are sorted several times a second. */
const nameKeys = new WeakMap<WorkerView, string>();

function nameKey(worker: WorkerView): string {
  const known = nameKeys.get(worker);
  if (known !== undefined) return known;
  const key = `${worker.project}\0${worker.name}`
    .toLowerCase()
    .replaceAll(/\d+/gu, (digits) => digits.padStart(12, '0'));
  nameKeys.set(worker, key);
  return key;
}

const COMPARE: Readonly<Record<Sort, Compare>> = {
  state: (one, other) => SEQUENCE.indexOf(one.status) - SEQUENCE.indexOf(other.status),
  name: byName,
  age: (one, other) => one.since - other.since,
  machine: (one, other) => (one.machine === other.machine ? 0 : byNumber(one.machine, other.machine)),
};
