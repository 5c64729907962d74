/** What does the policy answer, and with which small steps is an answer built? */
import { invariant } from '../invariant.ts';
import type { Zone } from '../limits/calendar.ts';
import type { Policy } from '../policy/policy.ts';
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
  | {
      readonly kind: 'recovery';
      readonly code: string;
      readonly level: number;
      readonly attempt: number;
      readonly action: string;
    }
  | { readonly kind: 'recovered'; readonly code: string; readonly attempts: number; readonly sinceMs: number }
  | { readonly kind: 'escalated'; readonly code: string; readonly why: string }
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
