/** Lists the conditions for a spot to get work, as a table. */
import type { Spot, Wanted } from './spot.ts';

/** Name of an obstacle. */
export type PlaceRule =
  | 'cordon'
  | 'capacity'
  | 'label'
  | 'namesake'
  | 'role'
  | 'profile'
  | 'author'
  | 'machine-state'
  | 'checkout'
  | 'program'
  | 'disk'
  | 'memory'
  | 'account'
  | 'canary'
  | 'pool'
  | 'worker-state';

/** A spot that does not fit: `why` follows its name, as in `laptop is cordoned by mia`. */
export interface Refused {
  readonly name: string;
  readonly rule: PlaceRule;
  readonly why: string;
}

interface Rule {
  readonly rule: PlaceRule;
  /** True if the rule holds also for a spot that a person named. */
  readonly isForNamed: boolean;
  /** Returns the reason against the spot; null: the spot fits. */
  readonly whyNot: (spot: Spot, wanted: Wanted) => string | null;
}

/** Rules in the order of their report to people: obstacles that people can change come first. */
const RULES: readonly Rule[] = [
  {
    rule: 'cordon',
    isForNamed: true,
    whyNot: ({ machine }) => (machine.cordon === null ? null : `gets no new work: it is ${machine.cordon}`),
  },
  {
    rule: 'machine-state',
    isForNamed: false,
    whyNot: ({ machine: { state } }) => (state === 'connected' ? null : STATES[state]),
  },
  {
    rule: 'label',
    isForNamed: true,
    whyNot: ({ machine }, { labels }) => {
      const lacks = labels.filter((label) => !machine.labels.includes(label));
      return lacks.length === 0 ? null : `does not have the label ${lacks.join(', ')}`;
    },
  },
  {
    rule: 'capacity',
    isForNamed: true,
    whyNot: ({ machine: { capacity, workers }, worker }) =>
      worker !== null || capacity === null || workers < capacity ? null : `is full: ${workers} of ${capacity} workers`,
  },
  { rule: 'namesake', isForNamed: true, whyNot: ({ namesake }) => namesake },
  {
    rule: 'checkout',
    isForNamed: false,
    whyNot: ({ checkout }) => (checkout === null ? null : `does not have the project: ${checkout.why}`),
  },
  // A running agent has its program and its memory.
  {
    rule: 'program',
    isForNamed: false,
    whyNot: ({ worker, program }) => (worker === null ? (program?.why ?? null) : null),
  },
  { rule: 'disk', isForNamed: false, whyNot: ({ machine: { disk } }) => (disk === null ? null : `is short: ${disk}`) },
  {
    rule: 'memory',
    isForNamed: false,
    whyNot: ({ machine: { memory }, worker }) => (worker !== null || memory === null ? null : `is short: ${memory}`),
  },
  {
    rule: 'role',
    isForNamed: true,
    whyNot: ({ worker }, { role }) =>
      worker === null || role === null || worker.role === role ? null : `is a ${worker.role}`,
  },
  {
    rule: 'profile',
    isForNamed: true,
    whyNot: ({ worker }, { profile, notProfiles }) => {
      if (worker === null) return null;
      const fits = (profile === null || worker.profile === profile) && !notProfiles.includes(worker.profile);
      return fits ? null : `has the profile "${worker.profile}"`;
    },
  },
  {
    rule: 'author',
    isForNamed: true,
    whyNot: ({ worker }, { notWorkers }) =>
      worker !== null && notWorkers.includes(worker.id) ? 'wrote a part of the work' : null,
  },
  {
    rule: 'pool',
    isForNamed: false,
    whyNot: ({ worker }) => (worker === null || worker.isInPool ? null : 'takes only tasks that name it'),
  },
  {
    rule: 'worker-state',
    isForNamed: false,
    whyNot: ({ worker }) => (worker === null || worker.standing.kind === 'idle' ? null : `is ${worker.standing.what}`),
  },
  {
    rule: 'account',
    isForNamed: false,
    whyNot: ({ paused }) => (paused === null ? null : `would wait: its account is paused ${paused}`),
  },
  { rule: 'canary', isForNamed: false, whyNot: ({ canary }) => canary },
];

const STATES = {
  suspect: 'has been silent for a while',
  disconnected: 'is disconnected',
  never: 'has not connected yet',
  revoked: 'is revoked',
} as const;

/** Returns the first obstacle; null: the spot fits. */
export function failed(wanted: Wanted, spot: Spot): Refused | null {
  for (const { rule, isForNamed, whyNot } of RULES) {
    const why = wanted.isNamed && !isForNamed ? null : whyNot(spot, wanted);
    if (why === null) continue;
    const isOfMachine = OF_MACHINE.has(rule) && spot.worker !== null;
    const words = isOfMachine ? `is on "${spot.machine.name}", which ${why}` : why;
    return { name: spot.worker?.name ?? `"${spot.machine.name}"`, rule, why: words };
  }
  return null;
}

const OF_MACHINE: ReadonlySet<PlaceRule> = new Set(['cordon', 'machine-state', 'label', 'checkout', 'disk']);
