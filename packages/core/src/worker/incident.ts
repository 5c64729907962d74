/** What does the policy know of a failure that it is handling, and what may a person be asked about it? */
import type { Alternative } from '../retry/alternatives.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { WorkerStatus } from './status.ts';
import type { Outgoing } from './worker.ts';

/** One answer that a person can give. */
export interface QuestionOption {
  /** What the answer names: `retry`, `skip`, … or, of a dialog, the words of its option. */
  readonly id: string;
  readonly label: string;
  /** Whether the answer must bring words of its own. */
  readonly needsText: boolean;
}

/** What a person is asked: to choose, to write, or to approve. */
export interface Question {
  readonly kind: 'choice' | 'text' | 'approve';
  readonly title: string;
  readonly body: string;
  readonly options: readonly QuestionOption[];
}

/** A failure that is being handled. A worker has at most one. Times are epoch milliseconds of the coordinator. */
export interface Incident {
  readonly id: string;
  /** The newest error of it. */
  readonly code: ErrorCode;
  readonly openedAt: number;
  /** Only rises (R6). */
  readonly level: RecoveryLevel;
  /** Attempts so far, at any level (R2). Waits at a limit are none. */
  readonly attempts: number;
  /** Alternatives of level 2 that were tried, each at most once. */
  readonly tried: readonly Alternative[];
  /** When the last attempt began to act, or begins. */
  readonly lastAttemptAt: number;
  /** A person was asked, and has not answered. */
  readonly escalated: boolean;
  /** What the person may answer; empty until somebody is asked. */
  readonly options: readonly QuestionOption[];
  /** What went wrong, in words for people. */
  readonly why: string;
  /** What was done last, in words for people. */
  readonly action: string;
  /** The worker's state when it opened: where "try again" leads. */
  readonly before: WorkerStatus;
  /** Texts that were on their way when a person was asked. */
  readonly held: readonly Outgoing[];
}

/** A forced respawn that one signal asks for: a fresh look must agree before a living program is ended (R3). */
export interface Doubt {
  /** Looks at it that could not read the screen. */
  readonly looks: number;
  /** The mark of progress when the doubt arose: another one says that the program works. */
  readonly mark: string | null;
  /** What the respawn shall do: begin another conversation, give the task again, go on with another profile. */
  readonly fresh: boolean;
  readonly restore: boolean;
  readonly profile: string | null;
}

/** Conflicts that keep coming back. */
export interface ConflictCount {
  /** The files, by which they are told apart. */
  readonly key: string;
  readonly times: number;
  /** HEAD before: the same HEAD afterwards means that the rebase was given up. */
  readonly headBefore: string | null;
  /** The agent was helped once. */
  readonly helped: boolean;
}

/** A dialog that stands on the screen, and what became of it. */
export interface DialogInHand {
  /** Its words, by which it is counted. */
  readonly key: string;
  /** It is answered only on this screen of this life (R4). */
  readonly incarnation: string;
  readonly fingerprint: string;
  /** The option to be chosen next; null: a person is asked. */
  readonly label: string | null;
  readonly by: 'policy' | 'person';
}

/** How often a dialog was answered during a task. */
export interface DialogCount {
  readonly key: string;
  readonly times: number;
}

/** What holds for the account that this worker's agent uses. */
export interface AccountPause {
  /** `paused`: nothing is sent. `probe`: this worker goes on, so that the others learn whether they may. */
  readonly state: 'paused' | 'probe';
  /** When it should be over, epoch milliseconds; null: not known. */
  readonly until: number | null;
}
