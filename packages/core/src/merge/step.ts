/** One accept on its way into the default branch: its steps, and its place among those that are merged together. */
import type { Pin } from '../machine/commands.ts';
import type { CheckPlace } from './chain.ts';
import type { Run, Train } from './chain.ts';

/**
 * Where an accept stands: waiting for the project's merge lease, or aboard the train of the one that has it, then one command after the
 * other. After `publish` the work is merged, `prove` sees it there, `close` and `recycle` make the worker fresh.
 */
export type AcceptStep =
  | 'waiting'
  | 'aboard'
  | 'candidate'
  | 'extend'
  | 'validate'
  | 'publish'
  | 'prove'
  | 'close'
  | 'recycle';

/** An accept on its way: one step at a time, each safe to repeat. */
export interface Accept {
  readonly step: AcceptStep;
  /** What the person has seen. Nothing else is merged. */
  readonly pin: Pin;
  /** The person knows that nothing would be merged, and wants the task to end all the same. */
  readonly nothing: boolean;
  /** The candidate on its way: one commit on `base`, with this tree. */
  readonly base: string | null;
  readonly commit: string | null;
  readonly tree: string | null;
  /** Times that the default branch moved before the candidate was published. */
  readonly moved: number;
  /** Epoch milliseconds. */
  readonly since: number;
  /** It does not take its turn before, epoch milliseconds: others are accepted with it, or the default branch is broken. */
  readonly notBefore?: number | null;
  /** What this worker conducts. Accepts of older builds lack this and what follows. */
  readonly train?: Train | null;
  /** Where its checks run. It stays while that machine is heard, so that what is known of its runs counts. Null: not chosen yet. */
  readonly on?: CheckPlace | null;
  /** Runs of the checks that are known, also from trains that it was aboard of. */
  readonly runs?: readonly Run[];
  /** The commit of the default branch that fails the checks by itself, of which people have been told. */
  readonly red?: string | null;
  /** The commit that may have been published without a word of it: where nothing is left to merge, that is looked for. */
  readonly maybe?: string | null;
  /** Whose train it is aboard of. */
  readonly conductor?: Conductor | null;
}

/** The worker whose train another is aboard of; the conductor itself has place 1. */
export interface Conductor {
  readonly id: string;
  readonly name: string;
  readonly place: number;
  readonly of: number;
}

/** Accepted work that Drover put on a branch of its own where the default branch is: people merge it there. */
export interface Offer {
  /** The commit that was accepted, and what the branch is at. */
  readonly head: string;
  readonly commit: string;
  readonly branch: string;
  /** Further facts for people, such as that no request was opened; empty: none. */
  readonly why: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Work that was sent back because the checks pass with what comes before it in a train, and not with it. */
export interface SentBack {
  /** The check that failed. */
  readonly command: string;
  /** The workers whose work came before it, by name. */
  readonly before: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A person has accepted what they have seen. */
export function newAccept(
  pin: Pin,
  { since, nothing, notBefore = null }: Pick<Accept, 'since' | 'nothing' | 'notBefore'>,
): Accept {
  return {
    step: 'waiting',
    pin,
    nothing,
    base: null,
    commit: null,
    tree: null,
    moved: 0,
    since,
    notBefore,
    train: null,
    on: null,
    runs: [],
    red: null,
    maybe: null,
    conductor: null,
  };
}

/** The commit and the tree of the prefix of its train that is under way; the tree of the default branch is not known. */
export function prefixAt({ base, commit, tree, train }: Accept): {
  readonly head: string;
  readonly tree: string | null;
} {
  const at = train?.at ?? 1;
  if (at === 0) return { head: base ?? '', tree: null };
  const link = train?.links?.[at - 2];
  return at === 1 || link === undefined ? { head: commit ?? '', tree } : { head: link.commit, tree: link.tree };
}

/** Whether the accept is between the project's merge lease and the default branch: only one worker of a project is. */
export function needsLease(accept: Accept | null): boolean {
  switch (accept?.step) {
    case 'candidate':
    case 'extend':
    case 'validate':
    case 'publish':
      return true;
    default:
      return false;
  }
}
