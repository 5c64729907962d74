/**
 * What holds of the failure that is being handled? It opens an incident or continues the open one, each attempt is
 * counted against the budgets (R2) and recorded, and the level only rises (R6).
 */
import type { Alternative } from '../retry/alternatives.ts';
import type { Strategy } from '../retry/strategies.ts';
import { firstLevel } from '../taxonomy/codes.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { ErrorContext } from '../taxonomy/definition.ts';
import type { Incident } from '../worker/incident.ts';
import type { WorkerStatus } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { withoutAnsweredQuestion } from './close-question.ts';
import { record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';

/** What went wrong. */
export interface Failure {
  readonly code: ErrorCode;
  /** In words for people. */
  readonly why: string;
  /** What the failing part itself said. */
  readonly details?: string | null;
  /** Which part noticed it; the policy itself if it is not said. */
  readonly component?: string;
  readonly context?: ErrorContext;
  readonly durationMs?: number | null;
}

/** What is done about it. */
export interface Attempt {
  readonly action: string;
  readonly strategy: Strategy;
  /** When it acts, epoch milliseconds; now if it is not said. */
  readonly at?: number;
  readonly alternative?: Alternative;
  /** A wait at a limit spends no budget. */
  readonly isWait?: boolean;
  /** The level at which it is tried, if that is above the incident's own. */
  readonly level?: RecoveryLevel;
}

/** The incident that a failure belongs to: the open one, if there is one, whatever its code was until now. */
export function opened(before: Step, { code, why }: Failure): Step {
  const step = code === 'AGENT_BLOCKED' ? before : withoutAnsweredQuestion(before);
  const { worker, ctx } = step;
  const first = firstLevel(code) ?? 1;
  const { incident } = worker;
  const next: Incident =
    incident === null
      ? {
          ...NEW_INCIDENT,
          id: ctx.fresh,
          openedAt: ctx.now,
          lastAttemptAt: ctx.now,
          before: stateOf(worker),
          code,
          why,
        }
      : { ...incident, code, why, before: goesBackTo(worker, incident) };
  return set(step, { incident: { ...next, level: higher(next.level, first) } });
}

/**
 * Where it goes on when the failure is over: a person may have given it a task or sent the work back since the incident began.
 * Work whose checks fail is repaired for the review.
 */
function goesBackTo(worker: Worker, { code, before }: Incident): WorkerStatus {
  const state = stateOf(worker);
  return state === 'error' || state === 'needs_input' || code === 'VALIDATION_FAILED' ? before : state;
}

/** The state that the worker is in, or comes back to with its session. */
function stateOf({ status, before }: Worker): WorkerStatus {
  return status === 'offline' ? before : status;
}

const NEW_INCIDENT = {
  level: 1,
  attempts: 0,
  tried: [],
  escalated: false,
  options: [],
  action: '',
  held: [],
} as const;

/** Writes the row of the error log. */
export function logged(step: Step, failure: Failure, strategy: Strategy | null): Step {
  const { incident } = step.worker;
  return record(step, {
    kind: 'error',
    incident: incident?.id ?? null,
    code: failure.code,
    message: failure.why,
    details: failure.details ?? null,
    component: failure.component ?? 'policy',
    context: failure.context ?? {},
    retryCount: incident?.attempts ?? 0,
    strategy,
    durationMs: failure.durationMs ?? null,
  });
}

/** An error that nobody has to recover from: a row of the log, no incident. */
export function onlyLogged(step: Step, failure: Failure): Step {
  return set(logged(set(step, { incident: null }), failure, 'skip'), { incident: step.worker.incident });
}

/**
 * R2: whether one more attempt is within the budgets. `own`: its code counts by a plan of its own (rungs, crashes), so
 * only the budget of the task holds beside it.
 */
export function mayTry({ worker, ctx }: Step, plan: 'own' | 'policy'): boolean {
  const { maxTotalAttempts, maxAttemptsPerError } = ctx.policy.incident;
  const { incident, taskAttempts } = worker;
  // A worker without a task has no budget but that of its incident.
  if (Math.max(taskAttempts, incident?.attempts ?? 0) >= maxTotalAttempts) return false;
  if (incident === null || plan === 'own') return incident !== null && incident.level < 4;
  return incident.level === 1 && incident.attempts < maxAttemptsPerError;
}

/** Writes down that an attempt begins. Who calls it has asked `mayTry` first, and does what it says. */
export function attempted(step: Step, attempt: Attempt): Step {
  const { worker, ctx } = step;
  const { incident } = worker;
  if (incident === null) return step;
  const { action, strategy, alternative } = attempt;
  const spent = attempt.isWait === true ? 0 : 1;
  const next: Incident = {
    ...incident,
    level: higher(incident.level, attempt.level ?? (alternative === undefined ? 1 : 2)),
    attempts: incident.attempts + spent,
    tried: alternative === undefined ? incident.tried : [...incident.tried, alternative],
    lastAttemptAt: attempt.at ?? ctx.now,
    action,
  };
  const counted = set(step, {
    incident: next,
    taskAttempts: worker.taskAttempts + (worker.task === null ? 0 : spent),
  });
  return record(counted, {
    kind: 'recovery',
    incident: next.id,
    code: next.code,
    level: next.level,
    attempt: next.attempts,
    action,
    strategy,
    alternative: alternative ?? null,
  });
}

/** R2: nothing is tried before this time while the last incident has only just ended. */
export function notBefore({ worker }: Step, at: number): number {
  const { coolUntil, incident } = worker;
  const isNext = incident === null || incident.attempts === 0 || incident.escalated;
  return isNext ? Math.max(at, coolUntil ?? 0) : at;
}

/** What is counted against the budgets, when a person took the matter up: all of it starts anew (R2). */
export const FRESH_COUNTS = {
  crashes: { count: 0, lastAt: 0 },
  startFailures: 0,
  failures: 0,
  taskAttempts: 0,
} as const satisfies Partial<Worker>;

/** What shows that a failure is over. */
export type Sign = 'order-done' | 'up' | 'taken' | 'progress' | 'rebased' | 'valid' | 'turn-over' | 'task-done';

/** Failures that end with a sign before the turn does. All others end with the turn, or with progress that lasts. */
const ENDS_WITH: Readonly<Partial<Record<ErrorCode, readonly Sign[]>>> = {
  AGENT_SPAWN_FAILED: ['up', 'taken'],
  SESSION_ORPHANED: ['up', 'taken'],
  MACHINE_LOST: ['up', 'order-done'],
  AGENT_CRASHED: ['taken'],
  INPUT_LOST: ['taken'],
  INPUT_PARTIAL: ['taken'],
  AGENT_STUCK: ['progress'],
  AGENT_TIMEOUT: ['progress'],
  TMUX_SESSION_FAILED: ['order-done'],
  GIT_WORKTREE_FAILED: ['order-done'],
  FILESYSTEM_ERROR: ['order-done'],
  PERMISSION_DENIED: ['up', 'order-done'],
  AGENT_CLI_NOT_FOUND: ['up', 'order-done'],
  NETWORK_ERROR: ['order-done'],
  INTERNAL_ERROR: ['order-done'],
  REBASE_CONFLICT: ['rebased'],
  REBASE_STUCK: ['rebased'],
  VALIDATION_FAILED: ['valid'],
};

/** Failures of the work, which a turn that ends does not cure. */
const OF_THE_WORK: ReadonlySet<ErrorCode> = new Set(['REBASE_CONFLICT', 'REBASE_STUCK', 'VALIDATION_FAILED']);

/** Something works (again). Ends the incident if that is what it waited for. */
export function works(step: Step, sign: Sign): Step {
  const { incident } = step.worker;
  if (incident === null || incident.escalated) return step;
  const isOver =
    sign === 'task-done' ||
    (sign === 'turn-over' && !OF_THE_WORK.has(incident.code)) ||
    ENDS_WITH[incident.code]?.includes(sign) === true;
  return isOver ? recovered(step) : step;
}

/** It works again: the incident is over and its level falls to none. */
export function recovered(step: Step): Step {
  const { worker, ctx } = step;
  const { incident } = worker;
  if (incident === null) return step;
  const { id, code, attempts, level, openedAt } = incident;
  const ended = cooled(set(rule(step, `recovered:${code}`), { incident: null }));
  const over = worker.task === null ? ended : wantCheckpoint(ended, 'error_recovery', `recovered from ${code}`);
  return record(over, { kind: 'recovered', incident: id, code, attempts, level, sinceMs: ctx.now - openedAt });
}

/** A pause before the next incident is acted on. */
export function cooled(step: Step): Step {
  return set(step, { coolUntil: step.ctx.now + step.ctx.policy.incident.cooldownMs });
}

function higher(one: RecoveryLevel, other: RecoveryLevel): RecoveryLevel {
  return one > other ? one : other;
}
