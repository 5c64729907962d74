// Sets how often each fault comes in a schedule. Some schedules are calm, some are hell.
import type { DialogWish } from '@drover/core';
import { SeededRandom } from '@drover/testkit';
import type { ProgramLuck } from '@drover/testkit';
import type { DisasterKind } from './disaster-kinds.ts';
import type { MachineLuck } from '../machine/parts.ts';
import { MISFORTUNES, profileOf, SPECIAL_SHAPE } from './profiles.ts';
import type { Profile } from './profiles.ts';

/** The shape of one schedule, all from its seed. Times in milliseconds. */
export interface Scenario {
  readonly profile: Profile;
  readonly replicas: number;
  readonly machines: number;
  readonly workers: number;
  readonly chaosMs: number;
  /** A person does something after so many milliseconds at most. */
  readonly paceMs: number;
  /** Chance that people accept all that waits at once, where more than one does. */
  readonly crowd: number;
  /** Policy for dialogs that are not of the start. */
  readonly dialogs: DialogWish;
  readonly luck: Luck;
}

/** Probabilities of faults outside of machines; changed in place when the faults end. */
export interface Luck {
  machine: MachineLuck;
  /** Chances by statement of the store. `pause`: it takes some milliseconds, in which others go on. */
  store: { pause: number; slow: number; lost: number; conflict: number; crash: number };
  /** Chances by exchange between machine and replica. */
  network: { drop: number; answerLost: number; duplicate: number; late: number; stale: number };
  /** Mean time between two disasters from outside; infinity: none. */
  disasterEveryMs: number;
  /** Disasters that are more frequent than in most schedules. */
  readonly disasters: Partial<Record<DisasterKind, number>>;
  /** Replicas whose computers' clocks are wrong by up to this. */
  skewMs: number;
}

const NO_TURN_FAULTS: ProgramLuck['turn'] = {
  commit: 60,
  'quick-commit': 10,
  'commit-dirty': 0,
  nothing: 10,
  background: 0,
  asked: 8,
  question: 2,
  permission: 2,
  'error-passing': 0,
  'error-final': 0,
  'limit-stated': 0,
  'limit-unstated': 0,
  'limit-again': 0,
  'limit-exit': 0,
  auth: 0,
  'context-full': 0,
  'context-compacted': 0,
  hang: 0,
  crash: 0,
  signal: 0,
  panic: 0,
  'user-exit': 0,
  'tool-failed': 0,
  blank: 0,
  'own-dialog': 0,
  'limit-dialog': 0,
  'limit-late': 0,
  'limit-prompt': 0,
  resolve: 0,
  abort: 0,
  skip: 0,
  'commit-markers': 0,
  'leave-branch': 0,
  nest: 0,
  stray: 0,
  stash: 0,
  'leave-unsigned': 0,
};

const TURN_FAULTS: ProgramLuck['turn'] = {
  ...NO_TURN_FAULTS,
  'commit-dirty': 4,
  background: 4,
  'error-passing': 4,
  'error-final': 6,
  'limit-stated': 3,
  'limit-unstated': 3,
  'limit-exit': 2,
  auth: 1,
  'context-full': 3,
  hang: 2,
  crash: 7,
  signal: 5,
  panic: 1,
  'user-exit': 3,
  'tool-failed': 5,
  blank: 1,
  'own-dialog': 2,
  'limit-dialog': 2,
  'limit-prompt': 1,
  'context-compacted': 1,
  nest: 2,
  stray: 1,
  stash: 4,
  'leave-unsigned': 1,
};

/** Shares of statements that take a while; where there are some, transactions of replicas go in between one another. */
const PAUSES: readonly number[] = [0, 0.02, 0.1, 0.3];

/** Everything about a schedule that its seed decides before it begins. */
export function scenarioOf(seed: number): Scenario {
  const random = new SeededRandom(seed * 7_919 + 1);
  const isCalm = seed % 10 === 0;
  const profile = isCalm ? 'mixed' : profileOf(seed);
  const more = MISFORTUNES[profile];
  const isSpecial = profile !== 'mixed';
  const usual = random.pick([0.3, 1, 1, 3]);
  const chaos = isSpecial ? SPECIAL_SHAPE.chaosMs : { min: 15_000, max: 60_000 };
  const level = isCalm ? 0 : isSpecial ? SPECIAL_SHAPE.level : usual;
  const some = (probability: number): number => (random.chance(0.6) ? probability * level : 0);
  const start = {
    ready: 80,
    slow: some(1),
    trust: 12,
    'other-dialog': some(1),
    crash: some(4),
    missing: 0,
    never: some(2),
  };
  const turn = random.chance(0.7) && !isCalm ? TURN_FAULTS : NO_TURN_FAULTS;
  const enter = { taken: 80, swallowed: some(6), vanished: some(12), late: some(3) };
  const machine: MachineLuck = {
    program: {
      start: { ...start, ...more.start },
      turn: { ...turn, ...more.turn },
      enter: { ...enter, ...more.enter },
      lie: more.lie ?? some(0.04),
    },
    git: { random, conflict: more.conflict ?? 0.25, invalid: more.invalid ?? some(0.15), failing: some(0.02) },
    crash: some(0.01),
    partial: some(0.05),
    blind: some(0.001),
    unreadable: 0,
    takesMs: {},
    unopened: 0,
    unanswered: some(0.1),
    slow: random.pick([0.03, 0.1, 0.4]),
    hangs: some(0.005),
    parcel: some(0.05),
    ...more.machine,
  };
  return {
    profile,
    replicas: random.int(1, 3),
    machines: random.pick(more.machines ?? [1, 1, 2, 2, 3, 5]),
    workers: random.pick(more.workers ?? (isSpecial ? SPECIAL_SHAPE.workers : [1, 2, 2, 3, 4, 8])),
    chaosMs: more.chaosMs ?? random.int(chaos.min, chaos.max),
    paceMs: more.paceMs ?? (isSpecial ? SPECIAL_SHAPE.paceMs : 3_500),
    crowd: more.crowd ?? 0,
    dialogs: random.pick(['ask', 'ask', 'allow', 'deny']),
    luck: {
      machine,
      store: {
        pause: random.pick(PAUSES),
        slow: some(0.002),
        lost: some(0.003),
        conflict: some(0.004),
        crash: some(0.0006),
      },
      network: { drop: some(0.02), answerLost: some(0.03), duplicate: some(0.03), late: some(0.02), stale: some(0.01) },
      disasterEveryMs: isCalm ? Number.POSITIVE_INFINITY : (more.disasterEveryMs ?? 25_000 / Math.max(level, 0.1)),
      disasters: more.disasters ?? {},
      skewMs: random.chance(0.3) && !isCalm ? random.pick([5_000, 60_000, 3_600_000]) : 0,
    },
  };
}

/** The same in which people accept several at once, so that trains go; their checks fail sometimes. */
export function crowdedScenarioOf(seed: number): Scenario {
  const scenario = scenarioOf(seed);
  const { turn = {}, crowd = 0, conflict = 0, invalid = 0, paceMs } = MISFORTUNES.trains;
  const { machine } = scenario.luck;
  const program = { ...machine.program, turn: { ...machine.program.turn, ...turn } };
  const git = { ...machine.git, conflict, invalid };
  const luck = { ...scenario.luck, machine: { ...machine, program, git } };
  return {
    ...scenario,
    luck,
    crowd,
    machines: 1 + ((seed / 10) % 2),
    workers: 4,
    paceMs: paceMs ?? SPECIAL_SHAPE.paceMs,
    chaosMs: CROWDED_MS,
  };
}

/** Milliseconds in which several trains go. */
const CROWDED_MS = 60_000;

/** Ends the faults that come from outside; faults of the agents themselves go on. */
export function calmDown(luck: Luck): void {
  luck.store = { pause: 0, slow: 0, lost: 0, conflict: 0, crash: 0 };
  luck.network = { drop: 0, answerLost: 0, duplicate: 0, late: 0, stale: 0 };
  luck.disasterEveryMs = Number.POSITIVE_INFINITY;
  Object.assign(luck.machine, {
    crash: 0,
    partial: 0,
    blind: 0,
    unreadable: 0,
    unopened: 0,
    unanswered: 0,
    slow: 0.03,
    takesMs: {},
    hangs: 0,
    parcel: 0,
  });
  Object.assign(luck.machine.program, { turn: NO_TURN_FAULTS, lie: 0 });
  Object.assign(luck.machine.program, {
    start: { ready: 1, slow: 0, trust: 0, 'other-dialog': 0, crash: 0, missing: 0, never: 0 },
  });
  Object.assign(luck.machine.program, { enter: { taken: 1, swallowed: 0, vanished: 0, late: 0 } });
  Object.assign(luck.machine.git, { failing: 0 });
}
