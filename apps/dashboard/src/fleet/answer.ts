/** Follows an answer through its three steps: accepted by the coordinator, typed by the machine, and the agent went on. */
import type { EscalationView, WorkerView } from '@drover/api';

export type AnswerStep =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'typed' }
  | { readonly kind: 'went-on' }
  /** The screen had changed, or typing failed: the question is asked again if it still stands. */
  | { readonly kind: 'not-typed'; readonly message: string }
  /** Typed, and the agent does not move. */
  | { readonly kind: 'stuck' };

/** Milliseconds after which an agent that has been answered and does not go on needs another look. */
export const STUCK_AFTER_MS = 10_000;

/** Facts about an answer. */
export interface Answered {
  readonly question: Pick<EscalationView, 'status' | 'application'>;
  readonly worker: Pick<WorkerView, 'status' | 'since'> | undefined;
  /** State of the worker when it was answered. */
  readonly before: Pick<WorkerView, 'status' | 'since'> | undefined;
  /** True if the worker asks something else since it was answered. */
  readonly asksAnew: boolean;
  readonly answeredAt: number;
  readonly now: number;
}

export function stepOf({ question, worker, before, asksAnew, answeredAt, now }: Answered): AnswerStep {
  switch (question.application) {
    case 'rejected_stale':
      return {
        kind: 'not-typed',
        message: 'The screen had changed before your answer was typed, so nothing was typed.',
      };
    case 'failed':
      return { kind: 'not-typed', message: 'The machine could not type your answer.' };
    case 'applied': {
      const isSame = worker?.status === before?.status && worker?.since === before?.since;
      if (!isSame || asksAnew || worker === undefined) return { kind: 'went-on' };
      return now - answeredAt > STUCK_AFTER_MS ? { kind: 'stuck' } : { kind: 'typed' };
    }
    case 'pending':
    case null:
      return { kind: 'accepted' };
    default:
      return question.application satisfies never;
  }
}
