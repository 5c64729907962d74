/** The result that an agent gives for a task of a run: one form for every kind of task. */

/** Verdict of an agent. `approve` and `revise` belong to reviews, `done` and `blocked` to everything else. */
export type Verdict = 'done' | 'blocked' | 'approve' | 'revise';

export type Severity = 'blocker' | 'major' | 'minor' | 'note';

/** A part of a plan. Parts whose paths overlap are built one after another. */
export interface Part {
  readonly title: string;
  readonly prompt: string;
  /** Paths or globs, relative to the root of the repository, with `/`. */
  readonly paths: readonly string[];
  /** Commands that must pass on the commit of this part, besides those of its stage. */
  readonly check?: readonly string[] | undefined;
}

/** A reviewer's remark. */
export interface Finding {
  /** Unique within the result. */
  readonly id: string;
  readonly severity: Severity;
  readonly file: string | null;
  /** First line is 1. */
  readonly line: number | null;
  readonly text: string;
}

/** An author's answer to a finding of the previous round. */
export interface FindingAnswer {
  readonly finding: string;
  readonly did: 'fixed' | 'declined';
  readonly why: string;
}

/** A result as its agent wrote it. Drover binds it to task, attempt, commit and base; the agent's own words about those count for nothing. */
export interface TaskResult {
  readonly verdict: Verdict;
  /** At most 2,000 characters. */
  readonly summary: string;
  readonly parts: readonly Part[];
  readonly report: string;
  readonly findings: readonly Finding[];
  readonly answers: readonly FindingAnswer[];
}

/** Content that a task owes besides its verdict. `commit`: a new commit; `review`: `approve` or `revise`, and a clean worktree. */
export type Returns = 'commit' | 'parts' | 'report' | 'review';
