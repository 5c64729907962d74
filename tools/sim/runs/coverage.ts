// Lists the edges of the decision trees that the schedules reached, and those that they never did: rules, moves, records, codes.
import { RULE_WORDS, TRANSITIONS } from '@drover/core';
import { EXCUSES } from './excuses.ts';
import { countsOf } from './sums.ts';
import type { Sums } from './sums.ts';
import type { Counts } from './tally.ts';

/** Edge: a rule that can fire, or a move that can be made. */
export interface Edge {
  readonly kind: 'rule' | 'move';
  readonly name: string;
  readonly times: number;
  /** Reason why the edge need not be reached here; null: it must be, in a long run. */
  readonly excuse: string | null;
}

/** Every edge of the policy, with how often it was reached. */
export function edges({ rules, statuses }: Pick<Sums, 'rules' | 'statuses'>): readonly Edge[] {
  const fired = coverage(countsOf(rules)).map(({ rule, times }) => edge('rule', rule, times));
  const moves = TRANSITIONS.map(({ from, to }) => `${from} → ${to}`);
  return [...fired, ...moves.map((name) => edge('move', name, statuses[name] ?? 0))];
}

function edge(kind: Edge['kind'], name: string, times: number): Edge {
  return { kind, name, times, excuse: EXCUSES.get(name) ?? null };
}

/** The names of all rules, with `*` where a part varies. */
export function knownRules(): readonly string[] {
  return Object.keys(RULE_WORDS)
    .map((name) => (/[:-]$/.test(name) ? `${name}*` : name))
    .toSorted();
}

/** Counts how often each known rule was reached. */
export function coverage(rules: Counts): readonly { readonly rule: string; readonly times: number }[] {
  return knownRules().map((rule) => {
    const family = rule.endsWith('*') ? rule.slice(0, -1) : null;
    let times = 0;
    for (const [name, by] of rules) if (family === null ? name === rule : name.startsWith(family)) times += by;
    return { rule, times };
  });
}

/** Events of a fleet that a run of some hundred schedules must have gone through. */
const HAPPENINGS: readonly string[] = [
  'gateway-cut-off',
  'gateway-killed',
  'gateway-leaves',
  'gateway-stopped',
  'host-reboot',
  'link-cut',
  'link-late',
  'link-stuck',
  'note: a drain is over',
  'note: a gateway takes over from another',
  'note: a gateway that was replaced is held back',
  'note: a host is added',
  'note: a machine is cordoned',
  'note: a machine is drained',
  'note: a machine is drained by a deadline',
  'note: a machine is labelled',
  'note: a project is changed',
  'note: a run has begun',
  'note: a session is gone with its machine',
  'note: a worker follows again',
  'note: a worker is edited',
  'note: a worker is of another machine',
  'note: an item of a run has passed',
  'note: several projects',
];

/** Lists the events that never came. */
export function neverHappened(faults: Counts): readonly string[] {
  return HAPPENINGS.filter((name) => (faults.get(name) ?? 0) === 0);
}
