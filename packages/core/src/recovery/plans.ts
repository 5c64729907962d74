/**
 * Holds Drover's plan for each error: one row per code. A new code does not compile without its row. The way through a row is the same for all
 * (recovery/ladder.ts): retries while its budget lasts, then each alternative once, then a person.
 */
import type { Policy } from '../policy/policy.ts';
import { atOnce, backoffDelay, steady } from '../policy/retry.ts';
import type { RetryConfig } from '../policy/retry.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import { NUDGES_MAX } from './silence.ts';
import type { AlternativeKind } from './ways/alternatives.ts';

/** Sign that a failure is over. */
export type Sign = 'command-done' | 'up' | 'taken' | 'progress' | 'rebased' | 'valid' | 'turn-over' | 'task-done';

/** Number and pauses of retries: by name, with the numbers of the policy. */
export const RETRIES = {
  levelOne: ({ incident, agentError }) => ({ ...agentError.backoff, retriesMax: incident.maxAttemptsPerError }),
  agentSpawn: ({ crash }) => steady(crash.countMax - 1, crash.restartAfterMs),
  startUp: ({ startUp }) => atOnce(startUp.attemptsMax - 1),
  rateLimited: ({ limit }) => ({
    retriesMax: limit.attemptsMax,
    firstDelayMs: limit.waitMs,
    capMs: limit.waitMaxMs,
    factor: 2,
    // `limit.spread` is added to a stated reset too.
    jitter: 0,
  }),
  command: ({ command }) => steady(command.retry.attemptsMax - 1, command.retry.waitMs),
  // The silence before each nudge, and the rungs of the ladder, have waits of their own.
  nudge: () => atOnce(NUDGES_MAX),
  lostInput: ({ lostInput }) => atOnce(lostInput.length),
  partialInput: ({ partial }) => steady(partial.attemptsMax, partial.waitMs),
  sameConflicts: ({ rework }) => atOnce(rework.sameConflictsMax - 1),
  rebaseHelp: ({ rework }) => atOnce(rework.helpsMax),
  routing: ({ run: { routing } }) => ({ ...routing, retriesMax: routing.triesMax - 1 }),
  // The tries of a stage are written in its flow.
  stage: () => atOnce(1),
} as const satisfies Record<string, (policy: Policy) => RetryConfig>;

/** The name of a retry configuration. */
export type RetryName = keyof typeof RETRIES;

/** Plan for an error. */
export interface RecoveryPlan {
  /** Level 1: strategy of another attempt. */
  readonly again: Strategy;
  /** Name of the retry configuration. */
  readonly retry: RetryName;
  /** Level 2: alternatives if another attempt does not help, gentlest first. Empty: a person is asked. */
  readonly alternatives: readonly AlternativeKind[];
  /** Signs that end the incident before the turn does. An incident without a sign ends with the turn, or with progress that lasts. */
  readonly endsOn: readonly Sign[];
  /** True if the failure is one of the work: a turn that ends does not cure it. */
  readonly ofTheWork: boolean;
}

/** Alternatives by the likely cause: the conversation, the process, the work, the provider, or the place. */
const CONTEXT: readonly AlternativeKind[] = ['fresh-context', 'rollback', 'other-profile', 'other-worker'];
const PROCESS: readonly AlternativeKind[] = ['respawn-resumed', 'respawn-clean', 'other-profile', 'other-worker'];
const WORK: readonly AlternativeKind[] = ['rollback', 'other-profile', 'other-worker'];
const PROVIDER: readonly AlternativeKind[] = ['other-profile', 'other-worker'];
const PLACE: readonly AlternativeKind[] = ['other-machine', 'other-worker'];
/** Alternative for a fault of the machine: another machine may succeed. */
const MACHINE: readonly AlternativeKind[] = ['other-machine'];

/** Row without anything of its own: level 1, then a person, and the turn ends it. */
const PLAIN: RecoveryPlan = { again: 'retry', retry: 'levelOne', alternatives: [], endsOn: [], ofTheWork: false };

/** Drover's plan for each error. Source: docs/recovery-reference.md, which is drawn from it. */
export const RECOVERY_PLANS: Readonly<Record<ErrorCode, RecoveryPlan>> = {
  // The agent.
  AGENT_SPAWN_FAILED: {
    ...PLAIN,
    retry: 'startUp',
    alternatives: ['respawn-clean', 'other-profile', ...PLACE],
    endsOn: ['up', 'taken'],
  },
  AGENT_TIMEOUT: { ...PLAIN, retry: 'nudge', alternatives: PROCESS, endsOn: ['progress'] },
  AGENT_CRASHED: { ...PLAIN, again: 'restart', retry: 'agentSpawn', endsOn: ['taken'] },
  AGENT_INVALID_OUTPUT: { ...PLAIN, alternatives: CONTEXT },
  AGENT_BLOCKED: PLAIN,
  AGENT_CLI_NOT_FOUND: { ...PLAIN, endsOn: ['up', 'command-done'] },
  AGENT_AUTH_REQUIRED: PLAIN,
  AGENT_AUTH_EXPIRED: PLAIN,
  AGENT_CONTEXT_EXHAUSTED: { ...PLAIN, alternatives: CONTEXT },
  AGENT_HISTORY_REFUSED: { ...PLAIN, alternatives: CONTEXT },
  // The agent itself tries again, on its hook's advice: policy/tool-failures.ts.
  TOOL_FAILED: { ...PLAIN, again: 'skip' },
  INPUT_LOST: { ...PLAIN, retry: 'lostInput', endsOn: ['taken'] },
  INPUT_PARTIAL: { ...PLAIN, retry: 'partialInput', endsOn: ['taken'] },
  AGENT_STUCK: { ...PLAIN, retry: 'nudge', endsOn: ['progress'] },
  // A run: `core/src/run` decides what follows.
  WORKFLOW_NOT_FOUND: PLAIN,
  ROUTING_FAILED: { ...PLAIN, again: 'substitute', retry: 'routing', alternatives: ['other-profile'] },
  STAGE_FAILED: { ...PLAIN, retry: 'stage' },
  MAX_ITERATIONS: { ...PLAIN, again: 'skip' },
  WORKFLOW_TIMEOUT: { ...PLAIN, again: 'abort' },
  // The way home of the work.
  REBASE_CONFLICT: { ...PLAIN, retry: 'sameConflicts', endsOn: ['rebased'], ofTheWork: true },
  REBASE_ABORTED: PLAIN,
  REBASE_STUCK: { ...PLAIN, retry: 'rebaseHelp', endsOn: ['rebased'], ofTheWork: true },
  REBASE_UNRESOLVED: { ...PLAIN, retry: 'rebaseHelp', endsOn: ['rebased'], ofTheWork: true },
  REBASE_LOST_WORK: { ...PLAIN, retry: 'rebaseHelp', endsOn: ['rebased'], ofTheWork: true },
  REBASE_CONFLICT_LOOP: PLAIN,
  VALIDATION_FAILED: { ...PLAIN, alternatives: WORK, endsOn: ['valid'], ofTheWork: true },
  SETUP_FAILED: { ...PLAIN, retry: 'command', endsOn: ['command-done'] },
  // The machine and its programs.
  SESSION_ORPHANED: { ...PLAIN, again: 'restart', alternatives: PLACE, endsOn: ['up', 'taken'] },
  MACHINE_LOST: { ...PLAIN, endsOn: ['up', 'command-done'] },
  TMUX_NOT_FOUND: { ...PLAIN, retry: 'command' },
  TMUX_SESSION_FAILED: { ...PLAIN, retry: 'command', alternatives: MACHINE, endsOn: ['command-done'] },
  // The person who works there knows it; on another machine two programs would change the work as well.
  WORKTREE_IN_USE: { ...PLAIN, endsOn: ['up', 'command-done'] },
  GIT_WORKTREE_FAILED: { ...PLAIN, retry: 'command', endsOn: ['command-done'] },
  DATABASE_ERROR: { ...PLAIN, retry: 'command' },
  FILESYSTEM_ERROR: { ...PLAIN, retry: 'command', alternatives: MACHINE, endsOn: ['command-done'] },
  PERMISSION_DENIED: { ...PLAIN, retry: 'command', endsOn: ['up', 'command-done'] },
  INTERNAL_ERROR: { ...PLAIN, retry: 'command', endsOn: ['command-done'] },
  // The provider.
  RATE_LIMITED: { ...PLAIN, retry: 'rateLimited', alternatives: PROVIDER },
  USAGE_LIMIT: { ...PLAIN, retry: 'rateLimited', alternatives: PROVIDER },
  BUDGET_SPENT: PLAIN,
  AGENT_API_ERROR: { ...PLAIN, alternatives: PROCESS },
  SERVER_OVERLOADED: { ...PLAIN, alternatives: PROCESS },
  NETWORK_ERROR: { ...PLAIN, alternatives: PROCESS, endsOn: ['command-done'] },
  // The caller, who gets the error.
  INVALID_ARGUMENT: PLAIN,
};

/** Returns the retry configuration of a code, with the numbers of this policy. */
export function retryOf(code: ErrorCode, policy: Policy): RetryConfig {
  return RETRIES[RECOVERY_PLANS[code].retry](policy);
}

/** Returns the attempts allowed against this failure: those of level 1 in one incident, unless its retry configuration counts otherwise. */
export function budgetOf(code: ErrorCode, policy: Policy): number {
  return retryOf(code, policy).retriesMax;
}

/** Tells whether the budget allows one more attempt after `spent` of them. */
export function mayRetry(code: ErrorCode, { spent, policy }: { spent: number; policy: Policy }): boolean {
  return spent < budgetOf(code, policy);
}

/**
 * Returns the pause before the next retry, in milliseconds.
 *
 * @param attempt Number of the retry, from 1.
 * @param random A number in [0, 1).
 */
export function pauseBefore(
  code: ErrorCode,
  attempt: number,
  { policy, random }: { readonly policy: Policy; readonly random: number },
): number {
  return backoffDelay(retryOf(code, policy), attempt, random);
}

/** Tells whether a sign shows that a failure is over. */
export function isOverAt(code: ErrorCode, sign: Sign): boolean {
  const { endsOn, ofTheWork } = RECOVERY_PLANS[code];
  return sign === 'task-done' || (sign === 'turn-over' && !ofTheWork) || endsOn.includes(sign);
}
