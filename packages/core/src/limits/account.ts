/**
 * Decides for all workers of an account when one of them hits its limit.
 *
 * L1  One hit pauses the account: none of its workers is given work or nudged until a probe has shown that the limit is over.
 * L2  At most one probe is under way, and only the probe's own failure lengthens the pause.
 * L3  The same hit seen twice changes nothing; an older observation never shortens a pause and never begins one.
 * L4  While paused or probing there is always a deadline (`wakeAt`), so an account cannot be forgotten.
 */

import { DEFAULT_LIMIT_POLICY } from '../policy/limits.ts';
import type { LimitPolicy } from '../policy/limits.ts';
import { backoffDelay } from '../policy/retry.ts';

/** The state of one account at one provider. Plain data; times are epoch milliseconds. */
export type AccountState =
  | {
      readonly kind: 'open';
      /** Start of the open state; a hit that was seen before is old news. */
      readonly since: number;
    }
  | {
      readonly kind: 'paused';
      readonly since: number;
      /** Time of the next probe. */
      readonly wakeAt: number;
      /** Reset as the program stated it; null while it is guessed. */
      readonly statedResetAt: number | null;
      /** Number of failed probes since the account was open. */
      readonly failedProbes: number;
      /** Workers that wait, in the order in which they were stopped. The first one probes. */
      readonly waiting: readonly string[];
    }
  | {
      readonly kind: 'probing';
      readonly since: number;
      readonly wakeAt: number;
      readonly probe: string;
      readonly failedProbes: number;
      readonly waiting: readonly string[];
    };

/** State of an account of which nothing has been heard yet. */
export const OPEN_ACCOUNT: AccountState = { kind: 'open', since: 0 };

/** Event for the policy of an account. `at` is the time of the observation. */
export type AccountEvent =
  /** Limit that stopped a worker. `resetAt` as parsed from its screen; null if the screen names none. */
  | { readonly kind: 'limit-hit'; readonly worker: string; readonly at: number; readonly resetAt: number | null }
  | { readonly kind: 'woke' }
  /** Answer of the provider to a worker of the account. */
  | { readonly kind: 'answered'; readonly worker: string; readonly at: number }
  /** Stop, removal or change of account of a worker: it neither waits nor probes any more. */
  | { readonly kind: 'worker-left'; readonly worker: string }
  /** Word of a person that the limit is over. */
  | { readonly kind: 'person-resumed' };

/** Command of the account's policy. Pausing and resuming the queue is the state itself: only `open` accounts are given work. */
export type AccountCommand =
  /** Let this worker go on, and watch its answer. */
  | { readonly kind: 'probe'; readonly worker: string }
  /** Let this worker go on at a time. */
  | { readonly kind: 'resume'; readonly worker: string; readonly at: number };

/** Next state of an account and its commands. A caller arms a deadline at `wakeAt` of the state. */
export interface AccountDecision {
  readonly state: AccountState;
  readonly commands: readonly AccountCommand[];
}

/** Inputs of the decision, besides state and event. */
export interface AccountInputs {
  readonly now: number;
  /** In [0, 1). */
  readonly random: number;
  readonly policy?: LimitPolicy;
}

/** Decides for one account. Total: every event is allowed in every state. */
export function decideAccount(state: AccountState, event: AccountEvent, inputs: AccountInputs): AccountDecision {
  switch (event.kind) {
    case 'limit-hit':
      return afterHit(state, event, inputs);
    case 'woke':
      return afterWaking(state, inputs);
    case 'answered':
      return afterAnswer(state, event, inputs);
    case 'worker-left':
      return afterLeaving(state, event.worker, inputs);
    case 'person-resumed':
      return state.kind === 'open' ? stay(state) : open(queueOf(state), inputs);
  }
}

type Hit = Extract<AccountEvent, { kind: 'limit-hit' }>;

function afterHit(state: AccountState, hit: Hit, inputs: AccountInputs): AccountDecision {
  switch (state.kind) {
    case 'open':
      // The hit was seen before the account opened again, and heard after: this worker waits, but the limit is over.
      if (hit.at < state.since) return open([hit.worker], inputs, state.since);
      return pauseUntil([hit.worker], hit.resetAt, { inputs, failedProbes: 0 });
    case 'paused': {
      const waiting = withWorker(state.waiting, hit.worker);
      const { statedResetAt } = state;
      const isNews =
        hit.resetAt !== null && hit.resetAt > inputs.now && (statedResetAt === null || hit.resetAt > statedResetAt);
      return isNews
        ? pauseUntil(waiting, hit.resetAt, { inputs, failedProbes: state.failedProbes, since: state.since })
        : stay({ ...state, waiting });
    }
    case 'probing':
      // Only the probe's own new hit is news; the others report an older state (L2, L3).
      return hit.worker === state.probe && hit.at >= state.since
        ? pauseUntil([state.probe, ...state.waiting], hit.resetAt, { inputs, failedProbes: state.failedProbes + 1 })
        : stay({
            ...state,
            waiting: hit.worker === state.probe ? state.waiting : withWorker(state.waiting, hit.worker),
          });
  }
}

function afterWaking(state: AccountState, { now, policy = DEFAULT_LIMIT_POLICY }: AccountInputs): AccountDecision {
  if (state.kind === 'open' || now < state.wakeAt) return stay(state);
  // A probe that said nothing in time goes to the end of the queue.
  const [probe, ...waiting] = state.kind === 'probing' ? [...state.waiting, state.probe] : state.waiting;
  if (probe === undefined) return stay({ kind: 'open', since: now });
  const { failedProbes } = state;
  return {
    state: { kind: 'probing', since: now, wakeAt: now + policy.probeTimeoutMs, probe, failedProbes, waiting },
    commands: [{ kind: 'probe', worker: probe }],
  };
}

function afterAnswer(
  state: AccountState,
  event: { worker: string; at: number },
  inputs: AccountInputs,
): AccountDecision {
  if (state.kind !== 'probing' || event.worker !== state.probe || event.at < state.since) return stay(state);
  return open(state.waiting, inputs);
}

function afterLeaving(state: AccountState, worker: string, inputs: AccountInputs): AccountDecision {
  if (state.kind === 'open') return stay(state);
  const waiting = state.waiting.filter((name) => name !== worker);
  if (state.kind === 'probing' && worker === state.probe) {
    // The probe's outcome is unknown: probe with the next worker at once.
    const { since, failedProbes } = state;
    return afterWaking(
      { kind: 'paused', since, wakeAt: inputs.now, statedResetAt: null, failedProbes, waiting },
      inputs,
    );
  }
  return stay({ ...state, waiting });
}

interface PauseFacts {
  readonly inputs: AccountInputs;
  readonly failedProbes: number;
  readonly since?: number;
}

/** Pauses the account. A reset that has passed already is no news: the account waits as if none had been stated, so that nothing spins. */
function pauseUntil(waiting: readonly string[], resetAt: number | null, facts: PauseFacts): AccountDecision {
  const { now, random, policy = DEFAULT_LIMIT_POLICY } = facts.inputs;
  const statedResetAt = resetAt !== null && resetAt > now ? resetAt : null;
  const wakeAt =
    statedResetAt === null
      ? now + backoffDelay(policy.unknownReset, facts.failedProbes + 1, random)
      : statedResetAt + Math.floor(policy.spreadMs * random);
  const since = facts.since ?? now;
  return stay({ kind: 'paused', since, wakeAt, statedResetAt, failedProbes: facts.failedProbes, waiting });
}

function open(waiting: readonly string[], inputs: AccountInputs, since = inputs.now): AccountDecision {
  const { now, random, policy = DEFAULT_LIMIT_POLICY } = inputs;
  const at = (place: number): number => now + Math.floor(policy.staggerMs * (place + random));
  return {
    state: { kind: 'open', since },
    commands: waiting.map((worker, place) => ({ kind: 'resume', worker, at: at(place) })),
  };
}

function queueOf(state: Exclude<AccountState, { kind: 'open' }>): readonly string[] {
  return state.kind === 'probing' ? [state.probe, ...state.waiting] : state.waiting;
}

function withWorker(waiting: readonly string[], worker: string): readonly string[] {
  return waiting.includes(worker) ? waiting : [...waiting, worker];
}

function stay(state: AccountState): AccountDecision {
  return { state, commands: [] };
}
