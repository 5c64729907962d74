// Defines the kinds of bad luck of a schedule. Most have some of everything; one in five has much of one thing.
import type { ProgramLuck } from '@drover/testkit';
import type { DisasterKind } from './disaster-kinds.ts';
import type { MachineLuck } from '../machine/parts.ts';

/** `mixed`: some of everything. */
export type Profile =
  | 'mixed'
  | 'conflicts'
  | 'sluggish'
  | 'broken'
  | 'crashes'
  | 'limits'
  | 'unseen'
  | 'damaged'
  | 'surprises'
  | 'trains';

/**
 * Schedules of each kind among 66 seeds: more where a kind's edges take more. An edge that takes three rare things at once is reached only where
 * each of them is frequent.
 */
const SHARES: Readonly<Partial<Record<Profile, number>>> = {
  conflicts: 4,
  sluggish: 3,
  broken: 2,
  crashes: 1,
  limits: 1,
  unseen: 2,
  damaged: 2,
  surprises: 2,
  trains: 5,
};
const EVERY = 66;
const SPECIAL = Object.entries(SHARES).flatMap(([name, share]) => Array.from({ length: share }, () => name as Profile));

/** The kind of a seed; the first ones, which short tests run, are mixed. */
export function profileOf(seed: number): Profile {
  return SPECIAL[EVERY - 1 - (seed % EVERY)] ?? 'mixed';
}

/** Chances that a kind of luck has beside those of all others, or in their place. */
export interface Misfortune {
  readonly start?: Partial<ProgramLuck['start']>;
  readonly turn?: Partial<ProgramLuck['turn']>;
  readonly enter?: Partial<ProgramLuck['enter']>;
  readonly lie?: number;
  readonly machine?: Partial<Omit<MachineLuck, 'program' | 'git'>>;
  readonly conflict?: number;
  readonly disasters?: Partial<Record<DisasterKind, number>>;
  readonly disasterEveryMs?: number;
  readonly paceMs?: number;
  readonly chaosMs?: number;
  readonly workers?: readonly number[];
  readonly machines?: readonly number[];
  /** Share of runs of the checks that fail by chance. */
  readonly invalid?: number;
  /** Chance that people who do something accept all that waits, where more than one does. */
  readonly crowd?: number;
}

/**
 * Shape of a schedule with much of one fault: the rest is calm, long and busy, because an edge that takes three faults needs them to come together.
 */
export const SPECIAL_SHAPE = {
  level: 0.3,
  workers: [2, 3, 4],
  chaosMs: { min: 30_000, max: 55_000 },
  paceMs: 1_000,
} as const;

export const MISFORTUNES: Readonly<Record<Profile, Misfortune>> = {
  mixed: {},
  /** The default branch is changed by others all the time, where the worker does, and git is slow. */
  conflicts: {
    conflict: 0.65,
    machine: { takesMs: { rebase: 26_000 } },
    chaosMs: 95_000,
    paceMs: 2_500,
    disasters: { 'branch-moves': 6, 'branch-rewritten': 4, uninstalled: 6 },
    disasterEveryMs: 7_000,
  },
  /** Programs end while they have nothing to do, and are slow to start. */
  sluggish: {
    start: { ready: 60, slow: 10, never: 30 },
    turn: { asked: 20, question: 5 },
    conflict: 0.05,
    machine: { takesMs: { validate: 45_000 } },
    chaosMs: 90_000,
    disasters: { 'idle-program': 80 },
    disasterEveryMs: 5_000,
    paceMs: 1_500,
  },
  /** Sessions go, and what it takes to open them is not there. */
  broken: {
    start: { 'other-dialog': 10, missing: 4, never: 10 },
    turn: { asked: 20, question: 5, permission: 5 },
    machine: { unopened: 0.1 },
    chaosMs: 60_000,
    disasters: { uninstalled: 60, 'idle-program': 10 },
    disasterEveryMs: 7_000,
    paceMs: 1_500,
  },
  crashes: {
    start: { crash: 20 },
    turn: { crash: 40, signal: 20, 'user-exit': 10, panic: 5 },
    machine: { crash: 0.05 },
    disasters: { agent: 20, replica: 10, machine: 5 },
    disasterEveryMs: 8_000,
  },
  /** The account is at its limit, and the coordinator is down when it would be over. */
  limits: {
    turn: { 'limit-stated': 15, 'limit-unstated': 15, 'limit-prompt': 40, 'limit-exit': 8, 'limit-dialog': 8 },
    disasters: { coordinator: 20 },
    disasterEveryMs: 15_000,
  },
  /** Screens that cannot be seen, or not for long. */
  unseen: {
    turn: { blank: 8, 'context-full': 80, 'error-final': 10 },
    enter: { taken: 75, swallowed: 10, vanished: 5, late: 10 },
    lie: 0.2,
    chaosMs: 60_000,
    machine: { unreadable: 0.9, partial: 0.1, crash: 0.02 },
  },
  /** Records of a worker that were damaged. */
  damaged: { disasters: { row: 80 }, disasterEveryMs: 5_000, paceMs: 3_500 },
  /** Agents do what the one who looks after them does not expect. */
  surprises: {
    turn: {
      'context-compacted': 30,
      'tool-failed': 30,
      'own-dialog': 10,
      asked: 10,
      nothing: 20,
      background: 30,
      nest: 30,
      stray: 15,
      stash: 30,
      'leave-unsigned': 15,
    },
    machine: { slow: 0.3 },
    disasters: { 'machine-clock': 20 },
    disasterEveryMs: 8_000,
  },
  /** People accept several at once; some of it does not go together, and others break the default branch. */
  trains: {
    turn: { commit: 100, 'quick-commit': 200, stash: 15 },
    conflict: 0.05,
    invalid: 0.04,
    machine: { crash: 0.01, takesMs: { validate: 3_000 } },
    disasters: { 'branch-breaks': 8, 'branch-rewritten': 4, replica: 8, agent: 6, 'worktree-deleted': 0 },
    disasterEveryMs: 12_000,
    chaosMs: 120_000,
    workers: [4, 6, 8],
    machines: [1, 2, 2, 3],
    crowd: 0.35,
  },
};
