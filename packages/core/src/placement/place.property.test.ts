/** Proves the promises of every choice for any fleet and any wish, and finds faults in it. */
import { describe, expect, test } from 'vitest';
import { diceFrom } from '../testing/dice.ts';
import type { Dice } from '../testing/dice.ts';
import { place } from './place.ts';
import type { Placement } from './place.ts';
import type { PlaceMachine, Spot, Wanted } from './spot.ts';

const SEEDS = 5_000;
const LABELS = ['gpu', 'linux', 'fast'] as const;
type Place = (wanted: Wanted, spots: readonly Spot[]) => Placement<Spot>;

function drawMachine(dice: Dice, id: string): PlaceMachine {
  return {
    id,
    name: `m${id}`,
    state: dice.pick(['connected', 'connected', 'connected', 'suspect', 'disconnected', 'never', 'revoked']),
    cordon: dice.pick([null, null, null, 'cordoned by mia']),
    labels: LABELS.filter(() => dice.chance(0.6)),
    capacity: dice.pick([null, null, 0, 1, 2, 3]),
    workers: dice.pick([0, 1, 2, 3]),
    busy: dice.pick([0, 1, 2]),
    load: dice.pick([null, 0, 0.3, 1.2, 4]),
    disk: dice.pick([null, null, null, null, 'no disk is free']),
    memory: dice.pick([null, null, null, null, 'no memory is free']),
  };
}

function drawSpots(dice: Dice): readonly Spot[] {
  const machines = Array.from({ length: dice.pick([0, 1, 2, 3, 5]) }, (_, index) => drawMachine(dice, String(index)));
  const isOfWorkers = dice.chance(0.5);
  const more = (): Pick<Spot, 'namesake' | 'checkout' | 'program' | 'paused' | 'canary'> => ({
    namesake: dice.chance(0.1) ? 'has a namesake' : null,
    checkout: dice.chance(0.3) ? { why: 'no access', mayComeLater: dice.chance(0.7) } : null,
    program: dice.chance(0.2) ? { why: 'does not have the program', mayComeLater: dice.chance(0.5) } : null,
    paused: dice.chance(0.25) ? 'until noon' : null,
    canary: null,
  });
  if (!isOfWorkers) return machines.map((machine) => ({ machine, worker: null, ...more() }));
  return machines.flatMap((machine) =>
    Array.from({ length: dice.pick([0, 1, 2]) }, (_, index) => ({
      machine,
      worker: {
        id: `${machine.id}-${index}`,
        name: `w${machine.id}-${index}`,
        role: dice.pick(['developer', 'developer', 'reviewer']),
        profile: dice.pick(['claude', 'claude', 'codex']),
        isInPool: dice.chance(0.75),
        standing: dice.chance(0.7)
          ? ({ kind: 'idle', since: dice.pick([1, 2, 3]) } as const)
          : ({ kind: 'other', what: 'working' } as const),
      },
      ...more(),
      canary: dice.chance(0.3) ? 'has a version that no trial has seen' : null,
    })),
  );
}

function drawWish(dice: Dice, spots: readonly Spot[]): Wanted {
  return {
    role: dice.pick([null, null, 'developer', 'reviewer']),
    profile: dice.chance(0.1) ? dice.pick(['claude', 'codex']) : null,
    notProfiles: dice.chance(0.1) ? [dice.pick(['claude', 'codex'])] : [],
    notWorkers: spots.flatMap(({ worker }) => (worker !== null && dice.chance(0.1) ? [worker.id] : [])),
    labels: LABELS.filter(() => dice.chance(0.15)),
    notYet: spots.flatMap(({ worker }) => (worker !== null && dice.chance(0.2) ? [worker.id] : [])),
    near: dice.chance(0.5) ? (spots[0]?.machine.id ?? null) : null,
    mayWait: dice.chance(0.6),
    isNamed: dice.chance(0.2),
  };
}

/** Tells whether the work fits a spot where it may wait, and has to. */
function mayComeThere(spot: Spot, wanted: Wanted): boolean {
  const checkout = spot.checkout?.mayComeLater === true ? null : spot.checkout;
  const program = spot.program?.mayComeLater === true ? null : spot.program;
  return spot.worker === null && wanted.mayWait && isAllowed({ ...spot, checkout, program, paused: null }, wanted);
}

/** States the rules of placement once more, in other words than the table. */
function isAllowed(
  { machine, worker, namesake, checkout, program, paused, canary }: Spot,
  { role, profile, notProfiles, notWorkers, labels, isNamed }: Wanted,
): boolean {
  const always =
    machine.cordon === null &&
    new Set([...machine.labels, ...labels]).size === machine.labels.length &&
    (worker !== null || machine.capacity === null || machine.workers + 1 <= machine.capacity) &&
    namesake === null &&
    (worker === null ||
      ((role ?? worker.role) === worker.role &&
        (profile ?? worker.profile) === worker.profile &&
        notProfiles.every((one) => one !== worker.profile) &&
        notWorkers.every((id) => id !== worker.id)));
  const isFree = worker === null || (worker.isInPool && worker.standing.kind === 'idle');
  const isAble = machine.disk === null && (worker !== null || (machine.memory === null && program === null));
  const isReady = machine.state === 'connected' && checkout === null && paused === null && canary === null;
  return always && (isNamed || (isFree && isAble && isReady));
}

function brokenBy(placing: Place, seed: number): string | null {
  const dice = diceFrom(seed);
  const spots = drawSpots(dice);
  const wanted = drawWish(dice, spots);
  const before = JSON.stringify([wanted, spots]);
  const first = placing(wanted, spots);
  const shuffled = spots.map((spot) => ({ spot, by: dice.next() })).toSorted((one, other) => one.by - other.by);
  const again = placing(
    wanted,
    shuffled.map(({ spot }) => spot),
  );
  if (JSON.stringify([wanted, spots]) !== before) return 'it changed what it was given';
  if (JSON.stringify(first) !== JSON.stringify(again)) return 'the order of the spots decides';
  if (first.why === '' || first.refused.some(({ why }) => why === '')) return 'it does not say why';
  const atOnce = spots.filter((spot) => isAllowed(spot, wanted));
  const allowed = atOnce.length > 0 ? atOnce : spots.filter((spot) => mayComeThere(spot, wanted));
  const isTold = atOnce.length > 0 ? atOnce.length : Number(first.kind === 'placed');
  if (first.refused.length + isTold !== spots.length) return 'a spot that is not allowed is not told of';
  if (first.kind === 'placed' && first.waits.length > 0 !== (atOnce.length === 0))
    return 'it does not say for what it waits';
  if (first.kind === 'nowhere') return allowed.length === 0 ? null : 'there was a place';
  const { spot } = first;
  if (!allowed.includes(spot)) return 'it is not allowed there';
  const isNew = ({ worker }: Spot): boolean => worker === null || !wanted.notYet.includes(worker.id);
  if (!isNew(spot) && allowed.some(isNew)) return 'there was another worker than the one that gave it up';
  const peers = allowed.filter((one) => isNew(one) === isNew(spot));
  if (peers.some((one) => load(one) < load(spot))) return 'it was not spread';
  const asBusy = peers.filter((one) => load(one) === load(spot) && one.machine.busy === spot.machine.busy);
  const isNear = ({ machine, worker }: Spot): boolean => worker !== null && machine.id === wanted.near;
  if (!isNear(spot) && asBusy.some(isNear)) return 'the commits were carried for nothing';
  const equals = asBusy.filter((one) => isNear(one) === isNear(spot));
  return equals.some((one) => steps(one) < steps(spot)) ? 'it went where the load is' : null;
}

function load({ machine, worker }: Spot): number {
  return worker === null ? machine.workers : machine.busy;
}

function steps({ machine }: Spot): number {
  return Math.floor(machine.load ?? 0);
}

function firstBroken(placing: Place): string | null {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const broken = brokenBy(placing, seed);
    if (broken !== null) return `${broken} (seed ${seed})`;
  }
  return null;
}

test('given any fleet, when work is placed, then it is allowed there, it is spread, the order does not matter, and it says why', () => {
  expect(firstBroken(place)).toBeNull();
});

test('given these fleets, when they are counted, then work was placed, named and refused by every rule', () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const dice = diceFrom(seed);
    const spots = drawSpots(dice);
    const wanted = drawWish(dice, spots);
    const placement = place(wanted, spots);
    const waits = placement.kind === 'placed' && placement.waits.length > 0 ? ['waits'] : [];
    const kinds = [
      `${placement.kind}${wanted.isNamed ? ' named' : ''}`,
      ...waits,
      ...placement.refused.map(({ rule }) => rule),
    ];
    for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }

  const rules = [
    'cordon',
    'machine-state',
    'label',
    'capacity',
    'namesake',
    'checkout',
    'role',
    'profile',
    'author',
    'pool',
    'program',
    'canary',
  ];
  const all = [
    'placed',
    'placed named',
    'nowhere',
    'nowhere named',
    ...rules,
    'worker-state',
    'account',
    'disk',
    'memory',
    'waits',
  ];
  expect(all.filter((what) => (seen.get(what) ?? 0) < 30)).toEqual([]);
});

/** Places without regard to a field of each machine, or of each spot. */
function blind(change: (spot: Spot) => Partial<Spot>): Place {
  return (wanted, spots) => {
    const found = place(
      wanted,
      spots.map((spot) => ({ ...spot, ...change(spot) })),
    );
    if (found.kind === 'nowhere') return found;
    const isSame = ({ machine, worker }: Spot): boolean =>
      machine.id === found.spot.machine.id && worker?.id === found.spot.worker?.id;
    return { ...found, spot: spots.find(isSame) ?? found.spot };
  };
}

describe('a fault is found', () => {
  test.each<[string, Place]>([
    ['it is blind to cordons', blind(({ machine }) => ({ machine: { ...machine, cordon: null } }))],
    ['it is blind to capacity', blind(({ machine }) => ({ machine: { ...machine, capacity: null } }))],
    ['it is blind to labels', (wanted, spots) => place({ ...wanted, labels: [] }, spots)],
    ['it is blind to limits of accounts', blind(() => ({ paused: null }))],
    ['it is blind to unproven versions', blind(() => ({ canary: null }))],
    ['it is blind to load', blind(({ machine }) => ({ machine: { ...machine, workers: 0, busy: 0 } }))],
    ['it is blind to programs', blind(() => ({ program: null }))],
    ['it is blind to disks', blind(({ machine }) => ({ machine: { ...machine, disk: null } }))],
    ['it is blind to memory', blind(({ machine }) => ({ machine: { ...machine, memory: null } }))],
    [
      'it is blind to what machines say of their load',
      blind(({ machine }) => ({ machine: { ...machine, load: null } })),
    ],
    ['it is blind to silence', blind(({ machine }) => ({ machine: { ...machine, state: 'connected' } }))],
    ['it never lets a worker wait', (wanted, spots) => place({ ...wanted, mayWait: false }, spots)],
    ['it always lets a worker wait', (wanted, spots) => place({ ...wanted, mayWait: true }, spots)],
    ['it takes the first', (wanted, spots) => place({ ...wanted, notYet: [] }, spots)],
    [
      'it does not say why',
      (wanted, spots) => {
        const found = place(wanted, spots);
        return found.kind === 'nowhere' ? { ...found, why: '' } : found;
      },
    ],
  ])('%s', (_what, placing) => {
    expect(firstBroken(placing)).not.toBeNull();
  });
});
