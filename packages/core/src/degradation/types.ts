/** Describes the losses of a run and its remaining worth. */

/** `full`: no loss; `reduced`: some loss; `minimal`: only the essential stage is left; `failed`: the run cannot go on. */
export type DegradationLevel = 'full' | 'reduced' | 'minimal' | 'failed';

/** A stage of a run, as far as degradation needs it. */
export interface StageView {
  readonly name: string;
  readonly role: string;
  readonly state: 'done' | 'running' | 'pending';
}

/** Present stages of a run. */
export interface RunView {
  readonly stages: readonly StageView[];
}

/** Losses so far. Lists hold each entry once, in the order of loss. */
export interface Degradation {
  readonly level: DegradationLevel;
  readonly unavailableRoles: readonly string[];
  readonly skippedStages: readonly string[];
  /** Stages whose output is incomplete but used. */
  readonly partialOutputs: readonly string[];
  /** True if outputs lack the check that they should have had. */
  readonly unverified: boolean;
  /** Whole sentences for people. */
  readonly warnings: readonly string[];
}

/** A run that has lost nothing. */
export const NOT_DEGRADED: Degradation = {
  level: 'full',
  unavailableRoles: [],
  skippedStages: [],
  partialOutputs: [],
  unverified: false,
  warnings: [],
};

/** Event that may take something from a run. */
export type Loss =
  /** A role failed for good. `substitute`: a worker or profile that can take it over, if there is one. */
  | { readonly kind: 'role-failed'; readonly role: string; readonly substitute: string | null }
  /** Stage that went round as often as allowed; its best output is used. */
  | { readonly kind: 'iterations-spent'; readonly stage: string }
  /** Run that took too long; its results so far are kept. */
  | { readonly kind: 'run-timed-out' };
