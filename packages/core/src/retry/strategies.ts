/** What is done about an error now, and what if that does not help? */
import { firstLevel } from '../taxonomy/codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import { ALTERNATIVE_ORDER, helpsAgainst } from './alternatives.ts';
import type { AlternativeKind } from './alternatives.ts';

/**
 * The ways out of an error: the same again; start the thing anew; go on without it; let another do it; undo and try
 * another way; ask a person; stop here and keep what there is.
 */
export type Strategy = 'retry' | 'restart' | 'skip' | 'substitute' | 'rollback' | 'escalate' | 'abort';

/** Where the same again is more than to repeat. All others are repeated. */
const SAME_AGAIN: Readonly<Partial<Record<ErrorCode, Strategy>>> = {
  AGENT_CRASHED: 'restart',
  SESSION_ORPHANED: 'restart',
  // The agent itself tries again, as its hook tells it: packages/core/src/tool-failures/policy.ts.
  TOOL_FAILED: 'skip',
  MAX_ITERATIONS: 'skip',
  STATE_CORRUPT: 'rollback',
};

const ALTERNATIVES: Readonly<Record<AlternativeKind, Strategy>> = {
  'fresh-context': 'restart',
  'respawn-resumed': 'restart',
  'respawn-clean': 'restart',
  rollback: 'rollback',
  'other-profile': 'substitute',
  'other-worker': 'substitute',
};

/** What the budgets, and the state of the worker, leave to be tried. */
export interface WaysOut {
  /** The same again is within its budget, and may help. */
  readonly mayRepeat: boolean;
  /** The next alternative that applies; null when there is none. */
  readonly alternative: AlternativeKind | null;
}

/** What is done now, at which level (docs/recovery.md, one way for every recovery). */
export interface StrategyChoice {
  readonly level: 1 | 2 | 4;
  readonly strategy: Strategy;
  /** What is done when it does not help, as far as the code alone can tell. */
  readonly fallback: Strategy;
}

/**
 * Chooses what to do about an error: the same again while that may be, then the next alternative, then a person. An
 * error of the caller is told to the caller, and nothing is done.
 */
export function selectStrategy(code: ErrorCode, { mayRepeat, alternative }: WaysOut): StrategyChoice {
  if (firstLevel(code) === null) return { level: 4, strategy: 'abort', fallback: 'abort' };
  if (mayRepeat) return { level: 1, strategy: SAME_AGAIN[code] ?? 'retry', fallback: firstAlternative(code) };
  if (alternative !== null) return { level: 2, strategy: ALTERNATIVES[alternative], fallback: 'escalate' };
  return { level: 4, strategy: 'escalate', fallback: 'escalate' };
}

function firstAlternative(code: ErrorCode): Strategy {
  const kind = ALTERNATIVE_ORDER.find((one) => helpsAgainst(code, one));
  return kind === undefined ? 'escalate' : ALTERNATIVES[kind];
}
