/**
 * Replays a recorded history and compares it with the decisions of another policy. Two lives of a worker are led side by side over the same
 * events: one under the policies that were in force, which must reproduce every decision, and one under the other policy.
 *
 * After the first difference the second life is a supposition: the observations followed from the commands that were really given, and a
 * deadline of the other policy that passes earlier than the recorded one is reported, not played.
 */
import { decide } from '../decide.ts';
import type { Decision } from '../decision/step.ts';
import { InvariantError } from '../invariant.ts';
import type { Policy } from '../policy/policy.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import type { Worker } from '../worker/worker.ts';
import { canonical } from '../canonical.ts';
import { differencesOf } from './differences.ts';
import type { DecisionDifference } from './differences.ts';
import { outcomeText } from './recorded.ts';
import type { RecordedDecision } from './recorded.ts';

/** Inputs of a replay about policies. */
export interface ReplayRules {
  /** Returns a policy that was in force, by its version; null when it was not kept. */
  readonly policyOf: (version: string) => Policy | null;
  /** The policy to compare with; null: only check that every decision is reproduced. */
  readonly other: Policy | null;
  /** The digest that the history was recorded with. */
  readonly digest: (text: string) => string;
}

/** State of a replay. `real` is null while the history cannot be followed: until the next worker that was kept. */
export interface ReplayState {
  readonly real: Worker | null;
  readonly other: Worker | null;
  /** True once the two lives have parted. */
  readonly hasDiverged: boolean;
}

/** Reason for not replaying a recorded decision. */
export type NotReplayed =
  /** The history begins in the middle, or what came before could not be followed. */
  | 'no-worker-before'
  /** The policy of the decision was not kept. */
  | 'policy-unknown'
  /** The decision comes out otherwise: another build took it, or something else wrote the worker's row. */
  | 'not-reproduced';

/** A deadline of the supposed life that would have passed before this event. `at` is epoch milliseconds. */
export interface PassedDeadline {
  readonly name: DeadlineName;
  readonly at: number;
}

/** A replayed decision. */
export type ReplayStep =
  | { readonly kind: 'skipped'; readonly why: NotReplayed }
  | {
      readonly kind: 'reproduced';
      /** Differences of the other policy's decision; empty when it decides the same. */
      readonly differences: readonly DecisionDifference[];
      readonly passed: readonly PassedDeadline[];
      /** True for the first decision of its life that differs: its observations did happen. Any later difference is supposed. */
      readonly isFirst: boolean;
    };

/** Before the first decision. */
export const REPLAY_BEGIN: ReplayState = { real: null, other: null, hasDiverged: false };

/** Takes one decision again. */
export function replayStep(
  before: ReplayState,
  recorded: RecordedDecision,
  rules: ReplayRules,
): { readonly state: ReplayState; readonly step: ReplayStep } {
  const state = taken(before, recorded);
  if (state.real === null) return lost(state, 'no-worker-before');
  const policy = rules.policyOf(recorded.policy);
  if (policy === null) return lost(state, 'policy-unknown');
  const real = attempt(state.real, recorded, policy);
  if (real === null || rules.digest(outcomeText(real)) !== recorded.outcome) return lost(state, 'not-reproduced');
  if (rules.other === null || state.other === null) {
    const step = { kind: 'reproduced', differences: [], passed: [], isFirst: false } as const;
    return { state: { real: real.worker, other: real.worker, hasDiverged: false }, step };
  }
  const passed = passedBefore(state, recorded);
  const supposed = attempt(state.other, recorded, rules.other);
  const differences = differencesOf(real, supposed, recorded.facts.now);
  const differs = differences.length > 0 || passed.length > 0;
  return {
    state: {
      real: real.worker,
      // The rule is that of a coordinator: nothing follows from an event on which the policy fails.
      other: supposed?.worker ?? state.other,
      hasDiverged: state.hasDiverged || differs,
    },
    step: { kind: 'reproduced', differences, passed, isFirst: differs && !state.hasDiverged },
  };
}

/** Begins a life with a kept worker, unless the present life has just come to it. */
function taken(state: ReplayState, { before }: RecordedDecision): ReplayState {
  if (before === null) return state;
  if (state.real !== null && canonical(state.real) === canonical(before)) return state;
  return { real: before, other: before, hasDiverged: false };
}

function lost(state: ReplayState, why: NotReplayed): { readonly state: ReplayState; readonly step: ReplayStep } {
  return { state: { ...state, real: null, other: null }, step: { kind: 'skipped', why } };
}

/** Facts that the recorded decision did not ask for. Another policy may ask for them: nobody knows them any more. */
const UNASKED = { merge: { lease: 'other' }, ways: { othersIdle: 0 } } as const;

/** Decides once more. @returns null when the policy fails on the event, which a supposed life may well meet. */
function attempt(worker: Worker, { event, facts }: RecordedDecision, policy: Policy): Decision | null {
  try {
    const { merge = UNASKED.merge, ways = UNASKED.ways } = facts;
    return decide(worker, event, { ...facts, merge, ways, policy });
  } catch (error) {
    // A worker that another build kept may lack fields that this one relies on.
    if (error instanceof InvariantError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns the deadlines of the supposed life that the real one did not have, or that it had for later. */
function passedBefore({ real, other }: ReplayState, { event, facts }: RecordedDecision): readonly PassedDeadline[] {
  const heard = event.kind === 'deadline-expired' ? event.name : null;
  return Object.entries(other?.deadlines ?? {})
    .map(([name, at]) => ({ name: name as DeadlineName, at }))
    .filter(({ name, at }) => name !== heard && at < facts.now && real?.deadlines[name] !== at);
}
