/**
 * Handles a failure: opens an incident or continues the open one, counts each attempt against the budgets (R2) and records it. The level only
 * rises (R6).
 */
import { record, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { firstLevel } from '../taxonomy/codes.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { ErrorContext } from '../taxonomy/definition.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import { changeIncident, coolDown, endIncident, setIncident } from '../worker/incident.ts';
import type { Alternative, Incident } from '../worker/incident.ts';
import { stateOf } from '../worker/lifecycle.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { countAttempts } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import { closeAnsweredQuestion } from './close-question.ts';
import { isOverAt } from './plans.ts';
import type { Sign } from './plans.ts';
import { wantCheckpoint } from './save.ts';

/** Failure of a worker. */
export interface Failure {
  readonly code: ErrorCode;
  /** Cause in words for people. */
  readonly why: string;
  /** Words of the failing part itself. */
  readonly details?: string | null;
  /** Component that noticed the failure; absent: the policy itself. */
  readonly component?: string;
  readonly context?: ErrorContext;
  readonly durationMs?: number | null;
}

/** Action against the failure. */
export interface Attempt {
  readonly action: string;
  readonly strategy: Strategy;
  /** Time of the action, epoch milliseconds; absent: now. */
  readonly at?: number;
  readonly alternative?: Alternative;
  /** True for a wait, at a limit or for something that its machine lacks, which spends no budget. */
  readonly isWait?: boolean;
  /** Level of the attempt, if that is above the incident's own. */
  readonly level?: RecoveryLevel;
}

/** Opens the incident of a failure: the open one goes on, if there is one, whatever its code was. */
export function openIncident(before: Step, { code, why }: Failure): Step {
  const step = code === 'AGENT_BLOCKED' ? before : closeAnsweredQuestion(before);
  const { worker, ctx } = step;
  const { open } = worker.incident;
  const next: Incident =
    open === null
      ? {
          ...NEW_INCIDENT,
          id: ctx.fresh,
          openedAt: ctx.now,
          lastAttemptAt: ctx.now,
          before: stateOf(worker.lifecycle),
          code,
          why,
        }
      : { ...open, code, why, before: goesBackTo(worker, open) };
  const level = higher(next.level, firstLevel(code) ?? 1);
  return set(step, { incident: setIncident(worker.incident, { ...next, level }) });
}

/**
 * Returns the worker's status after the failure: a person may have given it a task or sent the work back since the incident began. Work whose
 * checks fail is repaired for the review.
 */
function goesBackTo({ lifecycle }: Worker, { code, before }: Incident): WorkerStatus {
  const state = stateOf(lifecycle);
  return state === 'error' || state === 'needs_input' || code === 'VALIDATION_FAILED' ? before : state;
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
export function logFailure(step: Step, failure: Failure, strategy: Strategy | null): Step {
  return logFailureOf(step, step.worker.incident.open, { failure, strategy });
}

/** Writes down an error that needs no recovery: a row of the log, no incident. */
export function onlyLog(step: Step, failure: Failure): Step {
  return logFailureOf(step, null, { failure, strategy: 'skip' });
}

function logFailureOf(
  step: Step,
  incident: Incident | null,
  { failure, strategy }: { readonly failure: Failure; readonly strategy: Strategy | null },
): Step {
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

/** Returns the attempts that count against the budget of the task. A worker without a task has no budget but that of its incident. */
function attemptsOf({ task, incident }: Worker): number {
  return Math.max(task.kind === 'none' ? 0 : task.attempts, incident.open?.attempts ?? 0);
}

/**
 * R2: tells whether one more attempt is within the budgets. `caller`: its code counts by a number of its own (rungs, crashes), so only the
 * budget of the task holds beside it. `incident`: that of level 1 holds too.
 */
export function mayTry({ worker, ctx }: Step, counts: 'caller' | 'incident'): boolean {
  const { maxTotalAttempts, maxAttemptsPerError } = ctx.policy.incident;
  const { open } = worker.incident;
  if (open === null || attemptsOf(worker) >= maxTotalAttempts) return false;
  if (counts === 'caller') return open.level < 4;
  return open.level === 1 && open.attempts < maxAttemptsPerError;
}

/** Writes down that an attempt begins. The caller has asked `mayTry` first, and does what the attempt says. */
export function beginAttempt(step: Step, attempt: Attempt): Step {
  const { worker, ctx } = step;
  const { open } = worker.incident;
  if (open === null) return step;
  const { action, strategy, alternative } = attempt;
  const spent = attempt.isWait === true ? 0 : 1;
  const next: Incident = {
    ...open,
    level: higher(open.level, attempt.level ?? (alternative === undefined ? 1 : 2)),
    attempts: open.attempts + spent,
    tried: alternative === undefined ? open.tried : [...open.tried, alternative],
    lastAttemptAt: attempt.at ?? ctx.now,
    action,
  };
  const counted = set(step, {
    incident: setIncident(worker.incident, next),
    task: countAttempts(worker.task, spent),
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

/** R2: returns the time before which nothing is tried while the last incident has only just ended. Epoch milliseconds. */
export function notBefore({ worker }: Step, at: number): number {
  const { coolUntil, open } = worker.incident;
  const isNext = open === null || open.attempts === 0 || open.escalated;
  return isNext ? Math.max(at, coolUntil ?? 0) : at;
}

/** Shows a sign of success. Ends the incident if it waited for that sign. */
export function showSign(step: Step, sign: Sign): Step {
  const { open } = step.worker.incident;
  if (open === null || open.escalated) return step;
  return isOverAt(open.code, sign) ? endRecovered(step, open) : step;
}

/** Ends the incident of a worker that works again; its level falls to none. */
function endRecovered(step: Step, { id, code, attempts, level, openedAt }: Incident): Step {
  const { worker, ctx } = step;
  const ended = startCooldown(set(rule(step, `recovered:${code}`), { incident: endIncident(worker.incident) }));
  const saved = worker.task.kind === 'none' ? ended : wantCheckpoint(ended, 'error_recovery', `recovered from ${code}`);
  return record(saved, { kind: 'recovered', incident: id, code, attempts, level, sinceMs: ctx.now - openedAt });
}

/** Starts the pause before the next incident is acted on. */
export function startCooldown(step: Step): Step {
  const until = step.ctx.now + step.ctx.policy.incident.cooldownMs;
  return set(step, { incident: coolDown(step.worker.incident, until) });
}

/** Marks the question as open no more, because a person's answer is on its way or the machine speaks again, or as open again. */
export function setEscalated(step: Step, escalated: boolean): Step {
  return set(step, { incident: changeIncident(step.worker.incident, { escalated }) });
}

function higher(one: RecoveryLevel, other: RecoveryLevel): RecoveryLevel {
  return one > other ? one : other;
}
