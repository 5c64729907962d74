/** Builds a decision from its inputs by small steps. */
import { invariant } from '../invariant.ts';
import type { Zone } from '../limits/calendar.ts';
import type { Command } from '../machine/commands.ts';
import type { Trust } from '../machine/trust.ts';
import { timeLimitOf } from '../policy/policy.ts';
import type { Policy } from '../policy/policy.ts';
import { putInFlight } from '../worker/command.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import { comeBackTo, moveTo, noteThat } from '../worker/lifecycle.ts';
import type { Cause } from '../worker/slice.ts';
import { canMove } from '../worker/status.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { fold } from '../worker/worker.ts';
import type { Worker } from '../worker/worker.ts';
import type { Consequences } from './consequences.ts';
import type { FactName, MergeFacts, Ways } from './facts.ts';
import type { DecisionRecord } from './records.ts';
import type { RuleName } from './rules.ts';

/** Facts beside the worker and the event that a decision may use. */
export interface DecideContext {
  /** Epoch milliseconds of the coordinator. */
  readonly now: number;
  /** A UUID that is used nowhere else, for the one thing a decision may have to name. */
  readonly fresh: string;
  readonly policy: Policy;
  /** Absent: not requested. */
  readonly merge?: MergeFacts | undefined;
  readonly machineConnected: boolean;
  /** The time zone of the worker's machine, in which its programs tell times. */
  readonly zone: Zone;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
  /** The agent profile of the worker. */
  readonly profile: string;
  /** The decisions of its project. */
  readonly trust: Trust;
  /** Absent: not requested. */
  readonly ways?: Ways | undefined;
}

/** `DecideContext` with everything that a decision may ask for. */
export interface WholeContext extends DecideContext {
  readonly merge: MergeFacts;
  readonly ways: Ways;
}

/** A command with its number, for the outbox. */
export interface IssuedCommand {
  readonly seq: number;
  readonly command: Command;
  readonly timeoutMs: number;
}

/** The answer to a request by a person. Observations and deadlines are always `accepted`. */
export type Reply =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Parts of a decision. */
interface Parts {
  readonly worker: Worker;
  readonly commands: readonly IssuedCommand[];
  readonly records: readonly DecisionRecord[];
  readonly reply: Reply;
  /** The rules that fired, in order; the first named the case, the others followed. */
  readonly rules: readonly RuleName[];
}

/** Complete answer to one event. The caller writes all of it in one transaction, or nothing. */
export interface Decision extends Parts {
  readonly kind: 'decided';
  /** Changes beside the worker's state. */
  readonly consequences: Consequences;
}

/** A decision that is being built. Every helper returns a new one. */
export interface Step extends Parts {
  readonly ctx: DecideContext;
  /** Facts that were needed and are not known: a step that lacks one is no decision. */
  readonly lacks: readonly FactName[];
}

/** Begins a decision in which nothing has changed yet. */
export function begin(worker: Worker, ctx: DecideContext): Step {
  return { worker, ctx, commands: [], records: [], reply: { kind: 'accepted' }, rules: [], lacks: [] };
}

/** Puts slices in place that their own files have changed. */
export function set(step: Step, slices: Partial<Worker>): Step {
  return { ...step, worker: { ...step.worker, ...slices } };
}

/** Tells every slice what happened. */
export function happen(step: Step, cause: Cause): Step {
  return { ...step, worker: fold(step.worker, cause, { now: step.ctx.now }) };
}

/** Names the rule that applies here. */
export function rule(step: Step, name: RuleName): Step {
  return { ...step, rules: [...step.rules, name] };
}

/** Writes something down beside the new state. */
export function record(step: Step, entry: DecisionRecord): Step {
  return { ...step, records: [...step.records, entry] };
}

/** Says in words why the worker is where it is. */
export function note(step: Step, why: string): Step {
  return set(step, { lifecycle: noteThat(step.worker.lifecycle, why) });
}

/** Moves the worker to a state of the transition table, with the reason for people. */
export function become(step: Step, to: WorkerStatus, why: string): Step {
  const { lifecycle } = step.worker;
  const from = lifecycle.status;
  if (from === to) return note(step, why);
  invariant(canMove(from, to), `The transition table holds no move from "${from}" to "${to}" (${why})`);
  const moved = moveTo(lifecycle, { status: to, since: step.ctx.now, note: why });
  return record(set(step, { lifecycle: moved }), { kind: 'moved', from, to, why });
}

/** Moves the worker, or changes the state that an offline worker comes back to. */
export function becomeOrReturnTo(step: Step, to: WorkerStatus, why: string): Step {
  const { lifecycle } = step.worker;
  return lifecycle.status === 'offline' ? set(step, { lifecycle: comeBackTo(lifecycle, to) }) : become(step, to, why);
}

/**
 * Refuses a request by a person. `decide` then drops every change, so a refused request leaves the worker as it was. `code` is stable, for
 * programs; `message` says what to do instead.
 */
export function refuse(step: Step, code: string, message: string): Step {
  return { ...rule(step, `refused:${code}`), reply: { kind: 'refused', code, message } };
}

/** Arms a deadline that is not derived from other state alone. `at`: epoch milliseconds. */
export function arm(step: Step, name: DeadlineName, at: number): Step {
  return set(step, { deadlines: { ...step.worker.deadlines, [name]: at } });
}

/** Takes a deadline from those that are armed. */
export function disarm(step: Step, name: DeadlineName): Step {
  if (step.worker.deadlines[name] === undefined) return step;
  const { [name]: _disarmed, ...others } = step.worker.deadlines;
  return set(step, { deadlines: others });
}

/** Puts one command in flight. There is never more than one for a worker. */
export function issue(step: Step, command: Command): Step {
  const { worker, ctx } = step;
  const { inFlight } = worker.command;
  invariant(inFlight === null, `Two commands at once: "${inFlight?.command.kind}" and "${command.kind}"`);
  const timeoutMs = timeLimitOf(ctx.policy, command.kind);
  const slot = putInFlight(worker.command, command, { now: ctx.now, timeoutMs });
  return {
    ...step,
    worker: { ...worker, command: slot },
    commands: [...step.commands, { seq: slot.seq, command, timeoutMs }],
    rules: [...step.rules, `command:${command.kind}`],
  };
}
