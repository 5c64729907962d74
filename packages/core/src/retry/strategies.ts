/** What is done about an error, in which order, and what if that does not help? */

import { DEFAULT_POLICY } from '../policy/policy.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { RetriedOperation } from './backoff.ts';

/**
 * The ways out of an error: the same again; start the thing anew; go on without it; let another do it; undo and try
 * another way; ask a person; stop here and keep what there is.
 */
export type Strategy = 'retry' | 'restart' | 'skip' | 'substitute' | 'rollback' | 'escalate' | 'abort';

/** The plan for one code. */
export interface StrategyPlan {
  readonly strategy: Strategy;
  /** How often `strategy` is tried before `fallback` takes over; at least 1. */
  readonly attemptsMax: number;
  /** What is done when the strategy is spent. `escalate` and `abort` end the chain and fall back on themselves. */
  readonly fallback: Strategy;
  /** Which backoff stands between attempts. */
  readonly backoff: RetriedOperation;
}

const ESCALATE: StrategyPlan = { strategy: 'escalate', attemptsMax: 1, fallback: 'escalate', backoff: 'default' };
const ABORT: StrategyPlan = { strategy: 'abort', attemptsMax: 1, fallback: 'abort', backoff: 'default' };

function plan(strategy: Strategy, attemptsMax: number, fallback: Strategy, backoff: RetriedOperation): StrategyPlan {
  return { strategy, attemptsMax, fallback, backoff };
}

const P = DEFAULT_POLICY;
const AGAIN = P.incident.maxAttemptsPerError;
const REPEATS = P.command.retry.attemptsMax - 1;

/**
 * The plan of every code. What the running policy counts is its own number, so there is no second one that could differ;
 * the others are of operations outside it. Source: docs/recovery.md, plans per failure.
 */
export const STRATEGY_PLANS: Readonly<Record<ErrorCode, StrategyPlan>> = {
  AGENT_SPAWN_FAILED: plan('retry', P.startUp.attemptsMax - 1, 'restart', 'agentSpawn'),
  AGENT_TIMEOUT: plan('retry', 2, 'restart', 'levelOne'),
  AGENT_CRASHED: plan('restart', P.crash.countMax - 1, 'escalate', 'agentSpawn'),
  AGENT_INVALID_OUTPUT: plan('retry', 2, 'escalate', 'default'),
  // The agent itself tries again, as its hook tells it: packages/core/src/tool-failures/policy.ts.
  TOOL_FAILED: plan('retry', 1, 'skip', 'default'),
  AGENT_BLOCKED: ESCALATE,
  AGENT_CLI_NOT_FOUND: ESCALATE,
  AGENT_AUTH_REQUIRED: ESCALATE,
  AGENT_AUTH_EXPIRED: ESCALATE,
  AGENT_CONTEXT_EXHAUSTED: plan('restart', 1, 'rollback', 'default'),
  INPUT_LOST: plan('retry', P.lostInput.filter(({ respawn }) => !respawn).length, 'restart', 'messageSend'),
  INPUT_PARTIAL: plan('retry', P.partial.attemptsMax, 'restart', 'messageSend'),
  AGENT_STUCK: plan('retry', 2, 'escalate', 'levelOne'),
  AGENT_STATE_MISMATCH: plan('retry', 1, 'escalate', 'default'),

  WORKFLOW_NOT_FOUND: ABORT,
  WORKFLOW_TIMEOUT: ABORT,
  STAGE_FAILED: plan('retry', 3, 'rollback', 'levelOne'),
  ROUTING_FAILED: plan('retry', 5, 'substitute', 'messageSend'),
  MAX_ITERATIONS: plan('skip', 1, 'escalate', 'default'),
  REBASE_CONFLICT: plan('retry', P.rework.sameConflictsMax - 1, 'escalate', 'default'),
  REBASE_ABORTED: ESCALATE,
  REBASE_STUCK: plan('retry', 1, 'escalate', 'default'),
  REBASE_CONFLICT_LOOP: ESCALATE,
  VALIDATION_FAILED: plan('retry', AGAIN, 'rollback', 'default'),

  SESSION_ORPHANED: plan('restart', AGAIN, 'substitute', 'levelOne'),
  MACHINE_LOST: plan('retry', 3, 'escalate', 'levelOne'),
  TMUX_NOT_FOUND: ESCALATE,
  TMUX_SESSION_FAILED: plan('retry', REPEATS, 'escalate', 'default'),
  GIT_WORKTREE_FAILED: plan('retry', REPEATS, 'escalate', 'default'),
  DATABASE_ERROR: plan('retry', 3, 'escalate', 'databaseWrite'),
  FILESYSTEM_ERROR: plan('retry', REPEATS, 'escalate', 'default'),
  STATE_CORRUPT: plan('rollback', 1, 'escalate', 'default'),
  PERMISSION_DENIED: ESCALATE,
  INTERNAL_ERROR: ESCALATE,

  RATE_LIMITED: plan('retry', P.limit.attemptsMax, 'substitute', 'rateLimited'),
  USAGE_LIMIT: plan('retry', P.limit.attemptsMax, 'substitute', 'rateLimited'),
  AGENT_API_ERROR: plan('retry', AGAIN, 'restart', 'levelOne'),
  SERVER_OVERLOADED: plan('retry', AGAIN, 'restart', 'levelOne'),
  NETWORK_ERROR: plan('retry', AGAIN, 'restart', 'levelOne'),

  INVALID_ARGUMENT: ABORT,
  SESSION_EXISTS: ABORT,
  SESSION_NOT_FOUND: ABORT,
};

/** What follows a fallback that did not help either. Ends in `escalate` or `abort` after at most three steps. */
const AFTER_FALLBACK: Readonly<Record<Strategy, Strategy>> = {
  retry: 'escalate',
  restart: 'substitute',
  substitute: 'escalate',
  rollback: 'escalate',
  skip: 'escalate',
  escalate: 'escalate',
  abort: 'abort',
};

/** What is done now, and what would be done after it. */
export interface StrategyChoice {
  readonly strategy: Strategy;
  readonly fallback: Strategy;
  /** Which try of this strategy it is, from 1. */
  readonly attempt: number;
}

/**
 * Chooses what to do about an error. The plan's strategy until its attempts are spent, then each fallback once.
 *
 * @param spent How many attempts this incident has seen so far, by any strategy.
 */
export function selectStrategy(code: ErrorCode, spent: number): StrategyChoice {
  const { strategy, attemptsMax, fallback } = STRATEGY_PLANS[code];
  if (spent < attemptsMax) return { strategy, fallback, attempt: Math.max(0, spent) + 1 };
  let choice: Strategy = fallback;
  for (let n = attemptsMax; n < spent && AFTER_FALLBACK[choice] !== choice; n += 1) choice = AFTER_FALLBACK[choice];
  return { strategy: choice, fallback: AFTER_FALLBACK[choice], attempt: 1 };
}
