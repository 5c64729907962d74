/** Lists all errors: the taxonomy, as one table. For the errors connected today see docs/recovery.md, plans per failure. */

import { AGENT_ERRORS } from './agent-errors.ts';
import type { ErrorDefinition } from './definition.ts';
import { EXTERNAL_ERRORS, USER_ERRORS } from './outside-errors.ts';
import { SYSTEM_ERRORS } from './system-errors.ts';
import { WORKFLOW_ERRORS } from './workflow-errors.ts';

const DEFINITIONS = {
  ...AGENT_ERRORS,
  ...WORKFLOW_ERRORS,
  ...SYSTEM_ERRORS,
  ...EXTERNAL_ERRORS,
  ...USER_ERRORS,
} as const;

/** A code of the taxonomy, such as `AGENT_CRASHED`. */
export type ErrorCode = keyof typeof DEFINITIONS;

/** Every error that Drover knows, by code. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorDefinition>> = DEFINITIONS;

/** All codes, in the order of the table. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(DEFINITIONS).filter(isErrorCode);

/** Tells whether a string is a code of the taxonomy. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(DEFINITIONS, text);
}

/** Level of recovery: same, alternative, clarify, escalate. */
export type RecoveryLevel = 1 | 2 | 3 | 4;

/**
 * Returns the level at which handling of a code starts; null for errors of the caller, which are reported and not recovered. Level 3 is never
 * a start: a person chooses it.
 */
export function firstLevel(code: ErrorCode): RecoveryLevel | null {
  const { category, kind } = ERRORS[code];
  if (category === 'USER_ERROR') return null;
  switch (kind) {
    case 'transient':
      return 1;
    case 'systematic':
      return 2;
    case 'fatal':
    case 'needs-person':
      return 4;
  }
}
