/** Defines the rules of a run that loses a role for good. */

/** Rule for a run that loses a role for good, with no other role to stand in. */
export type RoleRule =
  /** Go on without the stages of that role. */
  | { readonly kind: 'skip'; readonly outputs: 'verified' | 'unverified' }
  /** Stop the run and keep its results so far. */
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
