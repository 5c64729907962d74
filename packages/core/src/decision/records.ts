/** Lists the records that a decision writes beside the new state: the history, the error log, questions to people, work for later. */
import type { CheckpointType } from '../machine/commands.ts';
import type { Receipt } from '../machine/reading.ts';
import type { TrustKind } from '../machine/trust.ts';
import type { TaskEnd } from '../run/task.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { ErrorContext } from '../taxonomy/definition.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import type { Alternative, Question } from '../worker/incident.ts';
import type { TrainEvent } from '../worker/event.ts';
import type { WorkerStatus } from '../worker/status.ts';

/** Record that a decision writes beside the new state. */
export type DecisionRecord =
  | { readonly kind: 'moved'; readonly from: WorkerStatus; readonly to: WorkerStatus; readonly why: string }
  /** A row of the error log. `incident` is null for an error that needs no recovery. */
  | {
      readonly kind: 'error';
      readonly incident: string | null;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: string | null;
      readonly component: string;
      readonly context: ErrorContext;
      /** Attempts of the incident before this one. */
      readonly retryCount: number;
      /** Chosen strategy; null: not known yet. */
      readonly strategy: Strategy | null;
      readonly durationMs: number | null;
    }
  /** Start of an attempt to recover. */
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
  /** End of an incident: the worker works again. */
  | {
      readonly kind: 'recovered';
      readonly incident: string;
      readonly code: ErrorCode;
      readonly attempts: number;
      readonly level: RecoveryLevel;
      readonly sinceMs: number;
    }
  /** Question to a person; once for each incident. */
  | {
      readonly kind: 'escalated';
      readonly incident: string;
      readonly code: ErrorCode;
      readonly why: string;
      readonly question: Question;
    }
  /** End of the question of an incident: answered, or moot. */
  | {
      readonly kind: 'escalation-closed';
      readonly incident: string;
      readonly how: 'resolved' | 'cancelled';
      readonly option: string | null;
    }
  /** Outcome of an answer that the machine had to carry out; `rejected_stale`: the question is open again. */
  | {
      readonly kind: 'answer-applied';
      readonly incident: string;
      readonly application: 'pending' | 'applied' | 'rejected_stale' | 'failed';
    }
  /** Decision of a person, for all workers of the project, on what the dialog of one asks for. */
  | { readonly kind: 'trust'; readonly about: TrustKind; readonly isTrusted: boolean }
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
  /** Observation of the worker about its account. */
  | { readonly kind: 'account'; readonly event: 'limit-hit' | 'answered' | 'left'; readonly resetAt: number | null }
  /** Change of the account that pays for the worker's agent. */
  | { readonly kind: 'account-chosen'; readonly to: string }
  /** Change of the profile that starts the worker's agent. */
  | { readonly kind: 'profile-changed'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'receipt';
      readonly textId: string;
      readonly purpose: string;
      readonly outcome: string;
      readonly receipt: Receipt;
    }
  | {
      readonly kind: 'task';
      readonly id: string;
      readonly status: 'started' | 'review' | 'rejected' | 'accepted' | 'ended' | 'failed' | 'cancelled';
    }
  /** End of a run's task, for its run. */
  | {
      readonly kind: 'run';
      readonly runId: string;
      readonly item: string;
      readonly attempt: number;
      readonly end: TaskEnd;
    }
  /** Request to carry the luggage of a move to the other machine. */
  | { readonly kind: 'carriage'; readonly move: string }
  /** Change of the worker's machine to `to`; `checkpoint` went along. */
  | { readonly kind: 'machine-changed'; readonly from: string; readonly to: string; readonly checkpoint: string }
  /** Request to put the remains of the worker on this machine, now useless, into the trash. */
  | { readonly kind: 'place-left'; readonly machine: string; readonly move: string }
  /** End of the worker's accept. `why`, for people: the outcome, or the obstacle. */
  | { readonly kind: 'accept-ended'; readonly how: 'merged' | 'offered' | 'stopped'; readonly why: string }
  | { readonly kind: 'lease'; readonly action: 'acquire' | 'release' }
  | { readonly kind: 'default-branch-moved'; readonly commit: string }
  /** Notice to other workers, in the same transaction, about the outcome of the train. */
  | { readonly kind: 'train'; readonly told: readonly { readonly worker: string; readonly event: TrainEvent }[] }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'gone' };
