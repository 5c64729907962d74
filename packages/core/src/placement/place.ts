/**
 * Places work: chooses the machine for a worker, and the worker for a task. Pure, and the same for every way in: a new worker, a task that a
 * person starts, the work queue, a task that recovery gives to another worker, a move and a drain. Each answer has its reason.
 */
import { failed } from './rules.ts';
import type { Refused } from './rules.ts';
import type { Spot, Wanted } from './spot.ts';

/** Chosen spot, or the reason why there is none. `why` is for people, without a dot at its end. */
export type Placement<S extends Spot> =
  | {
      readonly kind: 'placed';
      readonly spot: S;
      readonly why: string;
      /** Sentences about conditions that the work may have to wait for there; empty: none. */
      readonly waits: readonly string[];
      readonly refused: readonly Refused[];
    }
  | { readonly kind: 'nowhere'; readonly why: string; readonly refused: readonly Refused[] };

/** Chooses among the spots, whose order does not matter. The spots are all rooms, or all workers. */
export function place<S extends Spot>(wanted: Wanted, spots: readonly S[]): Placement<S> {
  const [best, ...others] = ranked(wanted, spots);
  const refused = spots
    .flatMap((spot) => failed(wanted, spot) ?? [])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (best !== undefined)
    return { kind: 'placed', spot: best, why: tellChoice(wanted, best, others), waits: [], refused };
  const [later, ...othersLater] = wanted.mayWait ? rankedByTime(wanted, spots) : [];
  if (later === undefined) return { kind: 'nowhere', why: tellRefused(refused), refused };
  const waits = tellWaits(later);
  const why = `${tellChoice(wanted, later, othersLater)}, though ${waits.join(', and ')}`;
  const but = refused.filter(({ name }) => name !== `"${later.machine.name}"`);
  return { kind: 'placed', spot: later, why, waits, refused: but };
}

/** Returns the spots that would fit once their temporary obstacles are gone, the best first. */
function rankedByTime<S extends Spot>(wanted: Wanted, spots: readonly S[]): readonly S[] {
  const fits = (spot: S): boolean => {
    const checkout = spot.checkout?.mayComeLater === true ? null : spot.checkout;
    const program = spot.program?.mayComeLater === true ? null : spot.program;
    return spot.worker === null && failed(wanted, { ...spot, checkout, program, paused: null }) === null;
  };
  return spots.filter(fits).toSorted((one, other) => compare(wanted, one, other));
}

function tellWaits({ checkout, program, paused }: Spot): readonly string[] {
  return [
    ...(checkout === null
      ? []
      : [`its last attempt to clone the project failed (${checkout.why}), and it tries again`]),
    ...(program === null ? [] : [`it ${program.why} yet, so the agent cannot start until somebody installs it`]),
    ...(paused === null ? [] : [`its account is paused ${paused}, and the worker waits for that`]),
  ];
}

/** Returns all spots that fit, the best first. */
export function ranked<S extends Spot>(wanted: Wanted, spots: readonly S[]): readonly S[] {
  return spots.filter((spot) => failed(wanted, spot) === null).toSorted((one, other) => compare(wanted, one, other));
}

/** Words the obstacle of each spot. */
function tellRefused(refused: readonly Refused[]): string {
  return refused.length === 0 ? 'there is none' : refused.map(({ name, why }) => `${name} ${why}`).join('; ');
}

/** A comparison: if two spots differ in it, the lower value wins, for this reason. */
type Line = readonly [why: string, value: (spot: Spot) => number | string];

const ROOMS: readonly Line[] = [
  ['it has the fewest workers', ({ machine }) => machine.workers],
  ['it has the fewest workers at a task', ({ machine }) => machine.busy],
  ['it has the least load', ({ machine }) => loadOf(machine)],
  ['it is the first by name of those with the fewest workers', ({ machine }) => machine.name],
  ['it is the first by its id', ({ machine }) => machine.id],
];

/**
 * Returns the load in steps of a whole process for each processor: a smaller difference is chance, and no reason to pass over a machine. A
 * machine that has not reported counts as one without load.
 */
function loadOf({ load }: Spot['machine']): number {
  return Math.floor(load ?? 0);
}

/** Returns the comparisons, down to the id, which makes the choice the same for every replica. */
function linesFor({ notYet, near }: Wanted, { worker }: Spot): readonly Line[] {
  if (worker === null) return ROOMS;
  return [
    ['it has not had this work before', (spot) => Number(spot.worker !== null && notYet.includes(spot.worker.id))],
    ['its machine has the fewest workers at a task', ({ machine }) => machine.busy],
    ['its machine has the commits', ({ machine }) => Number(near !== null && machine.id !== near)],
    ['its machine has the least load', ({ machine }) => loadOf(machine)],
    [
      'it has been idle the longest',
      (spot) => (spot.worker?.standing.kind === 'idle' ? spot.worker.standing.since : 0),
    ],
    ['it is the first by name of those idle as long', (spot) => spot.worker?.name ?? ''],
    ['it is the first by its id', (spot) => spot.worker?.id ?? ''],
  ];
}

function compare(wanted: Wanted, one: Spot, other: Spot): number {
  for (const [, value] of linesFor(wanted, one)) {
    const [mine, its] = [value(one), value(other)];
    if (mine !== its) return mine < its ? -1 : 1;
  }
  return 0;
}

function tellChoice(wanted: Wanted, best: Spot, others: readonly Spot[]): string {
  if (wanted.isNamed) return 'it was named';
  const what = best.worker === null ? 'machine' : 'idle worker';
  const [next] = others;
  if (next === undefined) return `it is the only ${what} that can take it`;
  const decisive = linesFor(wanted, best).find(([, value]) => value(best) !== value(next))?.[0] ?? 'all are equal';
  return `of ${others.length + 1} ${what}s that can take it, ${decisive}`;
}
