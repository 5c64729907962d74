/** Plants a fault around the policy, which decides as always, and hears or keeps something else. */
import { decide } from '../decide.ts';
import type { Decision, WholeContext } from '../decision/step.ts';
import type { CommandResult } from '../machine/commands.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import { changeSlices } from './change.ts';
import type { Changes } from './change.ts';
import type { Decide } from './history.ts';

/** A policy with a fault, and the rule that it breaks. */
export interface Planted {
  /** The letter of the rule, as in `RULES`. */
  readonly rule: string;
  /** Fault of the policy, as the end of "given a policy that …". */
  readonly fault: string;
  readonly decide: Decide;
}

type Change = (decision: Decision, before: Worker, heard: { event: WorkerEvent; ctx: WholeContext }) => Decision;

/** Decides as always, then spoils the decision. */
export function afterwards(change: Change): Decide {
  return (worker, event, ctx) => change(decide(worker, event, ctx), worker, { event, ctx });
}

/** Forgets or alters facts of the row. */
export function row(change: (after: Worker, before: Worker, event: WorkerEvent) => Changes): Decide {
  return afterwards((decision, before, { event }) => ({
    ...decision,
    worker: changeSlices(decision.worker, change(decision.worker, before, event)),
  }));
}

/** Hears another event than the real one. */
export function misheard(change: (event: WorkerEvent, worker: Worker) => WorkerEvent): Decide {
  return (worker, event, ctx) => decide(worker, change(event, worker), ctx);
}

/** Hears another result of the command in flight than the machine gave. */
export function misread(change: (result: CommandResult, worker: Worker) => CommandResult): Decide {
  return misheard((event, worker) =>
    event.kind === 'command-finished' && worker.command.inFlight?.seq === event.seq
      ? { ...event, result: change(event.result, worker) }
      : event,
  );
}
