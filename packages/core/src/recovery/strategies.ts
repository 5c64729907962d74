/** Chooses the strategy for an error, and its fallback: by its plan and by the ways left to try. */
import { firstLevel } from '../taxonomy/codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import { ALTERNATIVE_ORDER, helpsAgainst } from './ways/alternatives.ts';
import type { AlternativeKind } from './ways/alternatives.ts';
import { RECOVERY_PLANS } from './plans.ts';

const ALTERNATIVES: Readonly<Record<AlternativeKind, Strategy>> = {
  'fresh-context': 'restart',
  'respawn-resumed': 'restart',
  'respawn-clean': 'restart',
  rollback: 'rollback',
  'other-profile': 'substitute',
  'other-machine': 'substitute',
  'other-worker': 'substitute',
};

/** Ways that the budgets, and the state of the worker, leave to be tried. */
export interface WaysOut {
  /** True if a retry is within its budget, and may help. */
  readonly mayRepeat: boolean;
  /** Next alternative that applies; null when there is none. */
  readonly alternative: AlternativeKind | null;
}

/** Strategy and its level (docs/recovery.md, one way for every recovery). */
export interface StrategyChoice {
  readonly level: 1 | 2 | 4;
  readonly strategy: Strategy;
  /** Strategy if this one does not help, as far as the code alone can tell. */
  readonly fallback: Strategy;
}

/**
 * Chooses the strategy for an error: a retry while allowed, then the next alternative, then a person. An error of the caller is reported to
 * the caller, and nothing is done.
 */
export function selectStrategy(code: ErrorCode, { mayRepeat, alternative }: WaysOut): StrategyChoice {
  if (firstLevel(code) === null) return { level: 4, strategy: 'abort', fallback: 'abort' };
  if (mayRepeat) return { level: 1, strategy: RECOVERY_PLANS[code].again, fallback: firstAlternative(code) };
  if (alternative !== null) return { level: 2, strategy: ALTERNATIVES[alternative], fallback: 'escalate' };
  return { level: 4, strategy: 'escalate', fallback: 'escalate' };
}

function firstAlternative(code: ErrorCode): Strategy {
  const kind = ALTERNATIVE_ORDER.find((one) => helpsAgainst(RECOVERY_PLANS[code], one));
  return kind === undefined ? 'escalate' : ALTERNATIVES[kind];
}
