/**
 * How is a failure handled? Every recovery goes this one way: the failure opens an incident or continues the open one,
 * each attempt is checked against the budgets (R2) and recorded, the level only rises (R6), and what is spent or hopeless
 * is handed to a person (docs/adr/0060-one-way-for-every-recovery.md).
 */
import type { Alternative } from '../retry/alternatives.ts';
import type { Strategy } from '../retry/strategies.ts';
import { firstLevel } from '../taxonomy/codes.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { ErrorContext } from '../taxonomy/definition.ts';
import type { Incident } from '../worker/incident.ts';
import { record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';

/** What went wrong. */
export interface Failure {
  readonly code: ErrorCode;
  /** In words for people. */
  readonly why: string;
  /** What the failing part itself said. */
  readonly details?: string | null;
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
}

/** Opens an incident for a failure, or continues the open one, and writes the row of the error log. */
export function noticed(step: Step, failure: Failure, strategy: Strategy | null = null): Step {
  const incident = incidentFor(step, failure);
  const known = set(step, { incident });
  return record(known, {
    kind: 'error',
    incident: incident.id,
    code: failure.code,
    message: failure.why,
    details: failure.details ?? null,
    component: failure.component ?? 'policy',
    context: failure.context ?? {},
    retryCount: incident.attempts,
    strategy,
    durationMs: failure.durationMs ?? null,
  });
}

function incidentFor({ worker, ctx }: Step, { code, why }: Failure): Incident {
  const { incident } = worker;
  if (incident !== null) return { ...incident, code, why, level: higher(incident.level, firstLevel(code) ?? 1) };
  return {
    id: ctx.fresh,
    code,
    openedAt: ctx.now,
    level: firstLevel(code) ?? 1,
    attempts: 0,
    tried: [],
    lastAttemptAt: ctx.now,
    escalated: false,
    options: [],
    why,
    action: '',
  };
}

function higher(one: RecoveryLevel, other: RecoveryLevel): RecoveryLevel {
  return one > other ? one : other;
}

/** Writes down that an attempt begins. The caller has asked `mayTry` first, and does what it says. */
export function attempted(step: Step, { action, strategy, at, alternative, isWait = false }: Attempt): Step {
  const { worker, ctx } = step;
  const { incident } = worker;
  if (incident === null) return step;
  const spent = isWait ? 0 : 1;
  const next: Incident = {
    ...incident,
    level: alternative === undefined ? incident.level : higher(incident.level, 2),
    attempts: incident.attempts + spent,
    tried: alternative === undefined ? incident.tried : [...incident.tried, alternative],
    lastAttemptAt: at ?? ctx.now,
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

/** It works again: the incident is over, and its level falls to none. */
export function recovered(step: Step): Step {
  const { worker, ctx } = step;
  const { incident } = worker;
  if (incident === null || incident.escalated) return step;
  const { id, code, attempts, level, openedAt } = incident;
  const over = set(rule(step, `recovered:${code}`), { incident: null });
  return record(over, { kind: 'recovered', incident: id, code, attempts, level, sinceMs: ctx.now - openedAt });
}
