/** Defines the record of a decision from which it can be taken again, exactly, at any later time. */
import type { DecideContext, Decision } from '../decision/step.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { Worker } from '../worker/worker.ts';
import { canonical } from '../canonical.ts';

/** All inputs of a decision beside the worker, the event and the policy. Facts survive JSON unchanged. */
export type DecisionFacts = Omit<DecideContext, 'policy'>;

/** A decision as it is kept. Every decision of a worker is kept, also one that only changed the last seen screen. */
export interface RecordedDecision {
  /** Number that rises with each decision of a worker. */
  readonly id: number;
  readonly event: WorkerEvent;
  readonly facts: DecisionFacts;
  /** Version of the policy that the decision was taken under. */
  readonly policy: string;
  /** Digest of `outcomeText`. */
  readonly outcome: string;
  /** Worker before the decision, now and then: from here a replay can begin. Null: the result of the decision before. */
  readonly before: Worker | null;
}

/** Returns the whole of a decision as one text: two decisions are the same exactly when their texts are. */
export function outcomeText({ worker, commands, records, reply, rules }: Decision): string {
  return canonical({ worker, commands, records, reply, rules });
}
