/** Builds a decision about a run by small steps. */
import type { Policy } from '../policy/policy.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { RunRequest } from './request.ts';
import type { Part } from './result.ts';
import type { ItemStatus, Run, RunDeadlineName, RunStatus } from './run.ts';

/** Facts beside the run and the event. */
export interface RunContext {
  readonly now: number;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
  readonly policy: Policy;
}

/** Record that a decision writes beside the new state: the run's history, the error log, what people are told. */
export type RunRecord =
  | { readonly kind: 'run-moved'; readonly from: RunStatus; readonly to: RunStatus; readonly why: string }
  | {
      readonly kind: 'stage-moved' | 'item-moved';
      readonly name: string;
      readonly from: ItemStatus;
      readonly to: ItemStatus;
      readonly why: string;
    }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly item: string; readonly problem: string }
  /** A person's edit of an output, which replaces it. */
  | {
      readonly kind: 'edited';
      readonly item: string;
      readonly by: string;
      readonly before: readonly Part[];
      readonly after: readonly Part[];
    }
  | {
      readonly kind: 'answered';
      readonly question: string;
      readonly option: string;
      readonly by: string;
      readonly words: string;
    }
  /** An event that came too late, or twice, and changed nothing. */
  | { readonly kind: 'ignored'; readonly event: string; readonly why: string }
  | { readonly kind: 'adopted'; readonly item: string; readonly from: string }
  /** The retry has placed its first work: agents and routing work again. */
  | { readonly kind: 'recovered'; readonly of: string }
  | { readonly kind: 'notice'; readonly text: string };

/** Complete answer to one event. The caller writes all of it in one transaction, or nothing. */
export interface RunDecision {
  readonly run: Run;
  readonly requests: readonly RunRequest[];
  readonly records: readonly RunRecord[];
  /** Whole set of armed deadlines. The same as `run.deadlines`. */
  readonly deadlines: Readonly<Partial<Record<RunDeadlineName, number>>>;
  /** Names of the rules that fired, in order. */
  readonly rules: readonly string[];
  /** A refusal of a person's request; null: accepted. */
  readonly refused: { readonly code: string; readonly message: string } | null;
}
