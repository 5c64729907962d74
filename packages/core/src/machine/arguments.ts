/** Types that commands to machines and their results use: conversations, texts, dialogs, commits, checkpoints. */

/** Reasons for a checkpoint. Source: docs/recovery.md, checkpoints. */
export const CHECKPOINT_TYPES = [
  'session_start',
  'stage_complete',
  'periodic',
  'before_retry',
  'error_recovery',
  'hiccup',
  'manual',
] as const;

export type CheckpointType = (typeof CHECKPOINT_TYPES)[number];

/** Way to start the agent program. */
export type Launch =
  | { readonly kind: 'fresh'; readonly conversation: string }
  | { readonly kind: 'resume'; readonly conversation: string };

/** Way to type a text. `profile` is the profile's first choice; the others are the rungs of the lost-input ladder. */
export type TypingMethod = 'profile' | 'typed' | 'buffer';

/** Way to name an option of a dialog: as the profile says for this kind of dialog, or by the option's own words. */
export type AnswerChoice =
  | { readonly kind: 'policy'; readonly dialog: string }
  | { readonly kind: 'label'; readonly label: string };

/**
 * A commit with its tree. A pin names a worker's work as a person saw it; each step of a merge acts on a pin and names that pin. `tree` is
 * null if a person named the commit alone, which names its tree.
 */
export interface Pin {
  readonly head: string;
  readonly tree: string | null;
  /** Commit that the work was compared with when a person saw it. Absent: nobody saw a comparison. */
  readonly against?: string | undefined;
}

/** Work that is to come along, of the worker with this name. */
export interface TrainItem {
  readonly worker: string;
  readonly at: Pin;
  /** True if the branch is on another machine, which sends the commits. Absent: on this one. */
  readonly elsewhere?: boolean | undefined;
}

/** Outcome of an item: one commit on `base`. */
export interface TrainLink {
  readonly worker: string;
  /** Commit that the link was made of. */
  readonly head: string;
  readonly base: string;
  readonly commit: string;
  readonly tree: string;
}

/** Warning to the reviewer of a candidate that takes back what others did to these files. `paths` are the first of `count`. */
export interface CandidateNote {
  readonly kind: 'undone-others';
  readonly paths: readonly string[];
  readonly count: number;
}

/**
 * Ends of conflicts, as git shows them: git is in the middle of it; the branch is not on the new base; it is as it was before; the new base
 * has all of it; nothing is left of it; markers are committed; changes of its own, or of others, are not there any more; both sides are there.
 */
export const VERDICTS = [
  'in-progress',
  'elsewhere',
  'aborted',
  'contained',
  'emptied',
  'markers',
  'lost-own',
  'undone-others',
  'resolved',
] as const;

export type Verdict = (typeof VERDICTS)[number];

/** Commit of a worker that a candidate was made of, and its task; null: it has none. */
export interface Work {
  readonly head: string;
  readonly task: string | null;
}

/** Other machine on which checks ran; absent: they ran on that of the work. */
export interface RanOn {
  readonly on?: string | undefined;
}
