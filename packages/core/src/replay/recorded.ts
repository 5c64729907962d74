/** Defines the record of a decision from which it can be taken again, exactly, at any later time. */
import type { DecideContext, Decision } from '../decision/step.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import { canonical } from '../canonical.ts';

/** All inputs of a decision beside the worker, the event and the policy. They survive JSON unchanged. */
export type DecisionFacts = Omit<DecideContext, 'policy'>;

/** A decision as it is kept. Every decision of a worker is kept, also one that only changed the last seen screen. */
export interface RecordedDecision {
  /** Rises with each decision of a worker. */
  readonly id: number;
  readonly event: WorkerEvent;
  readonly facts: DecisionFacts;
  /** The version of the policy that it was taken under. */
  readonly policy: string;
  /** The digest of `outcomeText`. */
  readonly outcome: string;
  /** The worker before it, now and then: from here a replay can begin. Null: it is what the decision before left. */
  readonly before: Worker | null;
}

/** The whole of a decision as one text: two decisions are the same exactly when these are. */
export function outcomeText({ worker, commands, records, reply, rules }: Decision): string {
  return canonical({ worker, commands, records, reply, rules });
}
