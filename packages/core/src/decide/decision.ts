/** What does the policy answer, and with which small steps is an answer built? */
import { invariant } from '../invariant.ts';
import type { Zone } from '../limits/calendar.ts';
import type { Policy } from '../policy/policy.ts';
import type { Alternative } from '../retry/alternatives.ts';
import type { Strategy } from '../retry/strategies.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { ErrorContext } from '../taxonomy/definition.ts';
import type { CheckpointType } from '../worker/checkpoint.ts';
import type { Question } from '../worker/incident.ts';
import type { Op, Receipt } from '../worker/op.ts';
import { canMove } from '../worker/status.ts';
import type { WorkerStatus } from '../worker/status.ts';
import type { Worker } from '../worker/worker.ts';

/** What a decision may know beside the worker and the event. */
export interface DecideContext {
  /** Epoch milliseconds of the coordinator. */
  readonly now: number;
  /** A UUID nobody has used, for the one thing a decision may have to name. */
  readonly fresh: string;
  readonly policy: Policy;
  /** Who may change the project's default branch now. */
  readonly mergeLease: 'free' | 'mine' | 'other';
  readonly machineConnected: boolean;
  /** The time zone of the worker's machine, in which its programs tell times. */
  readonly zone: Zone;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
  /** The agent profile of the worker. */
  readonly profile: string;
  /** Other workers of the project that are idle and may be given this one's task. */
  readonly othersIdle: number;
}

/** An order for the machine, to be put in the outbox. */
export interface Command {
  readonly seq: number;
  readonly op: Op;
  readonly timeoutMs: number;
}

/** What is written down beside the new state. */
export type DecisionRecord =
  | { readonly kind: 'moved'; readonly from: WorkerStatus; readonly to: WorkerStatus; readonly why: string }
  /** One row of the error log. `incident` is null for what nobody has to recover from. */
  | {
      readonly kind: 'error';
      readonly incident: string | null;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: string | null;
      readonly component: string;
      readonly context: ErrorContext;
      /** Attempts of its incident before it. */
      readonly retryCount: number;
      /** What is done about it; null: not known yet. */
      readonly strategy: Strategy | null;
      readonly durationMs: number | null;
    }
  /** One attempt to recover has begun. */
  | {
      readonly kind: 'recovery';
      readonly incident: string;
      readonly code: ErrorCode;
      readonly level: RecoveryLevel;
      readonly attempt: number;
      readonly action: string;
      readonly strategy: Strategy;
      readonly alternative: Alternative | null;
    }
  /** The incident is over: it works again. */
  | {
      readonly kind: 'recovered';
      readonly incident: string;
      readonly code: ErrorCode;
      readonly attempts: number;
      readonly level: RecoveryLevel;
      readonly sinceMs: number;
    }
  /** A person is asked; once for each incident. */
  | {
      readonly kind: 'escalated';
      readonly incident: string;
      readonly code: ErrorCode;
      readonly why: string;
      readonly question: Question;
    }
  /** The question of an incident is answered, or moot. */
  | {
      readonly kind: 'escalation-closed';
      readonly incident: string;
      readonly how: 'resolved' | 'cancelled';
      readonly option: string | null;
    }
  /** What became of an answer that had to be carried out on the machine; `rejected_stale`: the question is open again. */
  | {
      readonly kind: 'answer-applied';
      readonly incident: string;
      readonly application: 'pending' | 'applied' | 'rejected_stale' | 'failed';
    }
  /** Work for later. */
  | {
      readonly kind: 'queued';
      readonly priority: 'S0' | 'S1' | 'S2' | 'S3';
      readonly title: string;
      readonly body: string;
      readonly class: string;
      readonly dedupe: string;
    }
  /** A checkpoint was made. */
  | {
      readonly kind: 'checkpoint';
      readonly id: string;
      readonly type: CheckpointType;
      readonly commit: string | null;
      readonly conversation: string | null;
      readonly incident: string | null;
      readonly why: string;
    }
  /** What the worker saw of its account. */
  | { readonly kind: 'account'; readonly event: 'limit-hit' | 'answered' | 'left'; readonly resetAt: number | null }
  /** From now on the worker's agent is started by another profile. */
  | { readonly kind: 'profile-changed'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'receipt';
      readonly outgoing: string;
      readonly purpose: string;
      readonly outcome: string;
      readonly receipt: Receipt;
    }
  | {
      readonly kind: 'task';
      readonly id: string;
      readonly status: 'started' | 'review' | 'rejected' | 'accepted' | 'ended' | 'failed';
    }
  | { readonly kind: 'lease'; readonly action: 'acquire' | 'release' }
  | { readonly kind: 'default-branch-moved'; readonly commit: string }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'gone' };

/** The answer to an order by a person. Observations and deadlines are always `accepted`. */
export type Reply =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** The whole answer to one event. The caller writes all of it in one transaction, or nothing. */
export interface Decision {
  readonly worker: Worker;
  readonly commands: readonly Command[];
  readonly records: readonly DecisionRecord[];
  readonly reply: Reply;
  /** The rules that fired, in order; the first named the case, the others followed. */
  readonly rules: readonly string[];
}

/** A decision that is being built. Every helper returns a new one. */
export interface Step extends Decision {
  readonly ctx: DecideContext;
}

/** A decision in which nothing has changed yet. */
export function begin(worker: Worker, ctx: DecideContext): Step {
  return { worker, ctx, commands: [], records: [], reply: { kind: 'accepted' }, rules: [] };
}

/** Changes facts about the worker. */
export function set(step: Step, patch: Partial<Worker>): Step {
  return { ...step, worker: { ...step.worker, ...patch } };
}

/** Names the rule that applies here. */
export function rule(step: Step, name: string): Step {
  return { ...step, rules: [...step.rules, name] };
}

/** Writes something down beside the new state. */
export function record(step: Step, entry: DecisionRecord): Step {
  return { ...step, records: [...step.records, entry] };
}

/** Moves the worker to a state of the transition table, with the reason for people. */
export function become(step: Step, to: WorkerStatus, why: string): Step {
  const from = step.worker.status;
  if (from === to) return set(step, { note: why });
  invariant(canMove(from, to), `The transition table holds no move from "${from}" to "${to}" (${why})`);
  return record(set(step, { status: to, note: why }), { kind: 'moved', from, to, why });
}

/**
 * Says no to an order by a person. `decide` then drops every change of facts, so a refused order leaves the worker as it
 * was. `code` is stable, for programs; `message` says what to do instead.
 */
export function refuse(step: Step, code: string, message: string): Step {
  return { ...rule(step, `refused:${code}`), reply: { kind: 'refused', code, message } };
}

/** Puts one order in flight. There is never more than one for a worker. */
export function order(step: Step, op: Op): Step {
  const { worker, ctx } = step;
  invariant(worker.inFlight === null, `Two orders at once: "${worker.inFlight?.op.kind}" and "${op.kind}"`);
  const seq = worker.commandSeq + 1;
  const timeoutMs = ctx.policy.command.timeoutMs[op.kind];
  const next = set(step, {
    commandSeq: seq,
    inFlight: { seq, op, since: ctx.now, dueAt: ctx.now + timeoutMs, overdue: 0 },
  });
  return rule({ ...next, commands: [...next.commands, { seq, op, timeoutMs }] }, `order:${op.kind}`);
}
