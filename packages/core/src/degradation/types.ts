/** What has a run lost, and what is it still worth? */

/** `full` nothing is lost; `reduced` something is; `minimal` only the essential stage is left; `failed` it cannot go on. */
export type DegradationLevel = 'full' | 'reduced' | 'minimal' | 'failed';

/** What a run does when a role of it is gone for good and nobody can stand in. */
export type RoleRule =
  /** Go on without the stages of that role. */
  | { readonly kind: 'skip'; readonly outputs: 'verified' | 'unverified' }
  /** Stop the run and keep what there is. */
  | { readonly kind: 'abort' };

/** The rules of a run, from the policy document. Roles that are not listed follow `otherwise`. */
export interface DegradationPolicy {
  readonly roles: Readonly<Record<string, RoleRule>>;
  readonly otherwise: RoleRule;
}

/**
 * The researcher's findings help and the reviewer's word makes outputs sure; without a developer there is nothing.
 * An unknown role is treated as essential: going on without it could be worse than asking.
 * Source: docs/recovery.md, degradation.
 */
export const DEFAULT_DEGRADATION_POLICY: DegradationPolicy = {
  roles: {
    researcher: { kind: 'skip', outputs: 'verified' },
    reviewer: { kind: 'skip', outputs: 'unverified' },
    developer: { kind: 'abort' },
  },
  otherwise: { kind: 'abort' },
};

/** One stage of a run, as far as degradation cares. */
export interface StageView {
  readonly name: string;
  readonly role: string;
  readonly state: 'done' | 'running' | 'pending';
}

/** What a run looks like now. */
export interface RunView {
  readonly stages: readonly StageView[];
}

/** What has been lost so far. Lists hold each entry once, in the order of loss. */
export interface Degradation {
  readonly level: DegradationLevel;
  readonly unavailableRoles: readonly string[];
  readonly skippedStages: readonly string[];
  /** Stages whose output is incomplete but used. */
  readonly partialOutputs: readonly string[];
  /** Whether outputs lack the check that they should have had. */
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

/** What may take something from a run. */
export type Loss =
  /** A role failed for good. `substitute`: a worker or profile that can take it over, if there is one. */
  | { readonly kind: 'role-failed'; readonly role: string; readonly substitute: string | null }
  /** A stage went round as often as allowed; its best output is used. */
  | { readonly kind: 'iterations-spent'; readonly stage: string }
  /** The run took too long; what there is, is kept. */
  | { readonly kind: 'run-timed-out' };
