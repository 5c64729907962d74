/** What does the policy know of a worker? Facts only; what comes next follows from them (decide/advance.ts). */
import type { AgentErrorKind } from '../agent-state.ts';
import type { CheckpointDue, LastCheckpoint, RestoreDue } from './checkpoint.ts';
import type { AccountPause, ConflictCount, DialogCount, DialogInHand, Doubt, Incident } from './incident.ts';
import type { GitFacts, Incarnation, Look, Op, Pin } from './op.ts';
import type { WorkerStatus } from './status.ts';

/** The life of the worker's session. Times are epoch milliseconds of the coordinator. */
export type Pane =
  | { readonly kind: 'absent' }
  | { readonly kind: 'starting'; readonly incarnation: Incarnation; readonly since: number }
  | { readonly kind: 'up'; readonly incarnation: Incarnation; readonly since: number }
  /** The program is gone. It is started again at `restartAt`; null: not by itself. */
  | { readonly kind: 'dead'; readonly incarnation: Incarnation; readonly restartAt: number | null };

/** A task in the worker's hands. */
export interface TaskInHand {
  readonly id: string;
  /** What the person wrote. */
  readonly prompt: string;
  /** What is delivered: preamble, role and prompt. */
  readonly text: string;
  readonly startedAt: number;
  /** HEAD at the start, or when the work was rejected: only another HEAD is new work. */
  readonly headBefore: string | null;
  /** Whether the agent has taken the prompt at least once. */
  readonly taken: boolean;
}

/**
 * Why a text is on its way: a new task, a person's message or feedback, a task given again after its program was cut
 * off, conflicts to resolve, or a check that failed before the merge. Receipts name it.
 */
export type OutgoingPurpose =
  | 'task'
  | 'message'
  | 'rejection'
  | 'restored'
  | 'conflict'
  | 'validation'
  | 'nudge'
  | 'continue';

/** A text on its way into the agent. Exactly one at a time; others wait behind it. */
export interface Outgoing {
  readonly id: string;
  readonly purpose: OutgoingPurpose;
  readonly text: string;
  /** Attempts that ended lost, partial or refused, which is also the rung of the ladder. */
  readonly lost: number;
  readonly partial: number;
  readonly refused: number;
  /** No attempt before this time. */
  readonly notBefore: number;
  /** The sequence number of an attempt whose outcome is unknown: look before typing again (R5). */
  readonly verify: number | null;
  /** What the look said should be done at the next attempt. */
  readonly next: 'type' | 'enter-only' | 'clear-first';
}

/** The one order that a machine is carrying out for this worker. */
export interface InFlight {
  readonly seq: number;
  readonly op: Op;
  readonly since: number;
  /** When it counts as overdue, epoch milliseconds. */
  readonly dueAt: number;
  /** Times that it was overdue without a result. */
  readonly overdue: number;
}

/**
 * Where an accept stands: waiting for the project's merge lease, then one order after the other. After `fast-forward`
 * the work is merged; `close` and `recycle` make the seat fresh.
 */
export type AcceptStep = 'waiting' | 'rebase' | 'validate' | 'squash' | 'fast-forward' | 'close' | 'recycle';

/** An accept on its way: one step at a time, each safe to repeat. */
export interface Accept {
  readonly step: AcceptStep;
  /** The commit that the person has seen. */
  readonly reviewed: string;
  /** That commit, and from then on what Drover's own last step has made of it. Nothing else is merged. */
  readonly pin: Pin;
  readonly base: string | null;
  readonly commit: string | null;
  readonly expected: string | null;
  readonly since: number;
}

/** Real progress of the present turn. */
export interface Progress {
  /** The last mark of it; null: the next one seen only sets the clock. */
  readonly mark: string | null;
  /** When it was seen, epoch milliseconds of the coordinator. */
  readonly at: number;
  /** Nudges since then. */
  readonly nudges: number;
}

/** An error that the agent shows while its program lives. */
export interface Trouble {
  readonly error: AgentErrorKind;
  /** The agent's own words. */
  readonly text: string;
  readonly since: number;
  /** Waits, or tries, since the last good turn. */
  readonly attempts: number;
  /** The program itself tries again; only if that comes to nothing does it count. */
  readonly own: boolean;
  /** It is waited out until then; null: nothing is waited for. */
  readonly until: number | null;
}

/** Names of the deadlines that a worker can have armed, at most one of each. */
export const DEADLINE_NAMES = [
  'command',
  'start-up',
  'restart',
  'delivery',
  'hold',
  'nudge',
  'trouble',
  'check',
  'settle',
  'accept',
  'checkpoint',
  'account',
] as const;
/** One of `DEADLINE_NAMES`; `DEADLINE_MEANING` says what each is waited for. */
export type DeadlineName = (typeof DEADLINE_NAMES)[number];

/**
 * Everything that the policy knows of one worker: the row that a coordinator loads, decides on and saves. It survives
 * JSON unchanged. Times are epoch milliseconds of the coordinator, except `seen.at` and `turnSince`, which are the
 * machine's and comparable only with one another.
 */
export interface Worker {
  readonly status: WorkerStatus;
  /** The state to go back to when an offline worker's session is there again. */
  readonly before: WorkerStatus;
  readonly wanted: 'up' | 'down' | 'gone' | 'gone-by-force';
  readonly worktree: { readonly kind: 'none' } | { readonly kind: 'ready'; readonly base: string };
  /** The worktree must be brought to the newest default branch before the next delivery. */
  readonly resetDue: boolean;
  readonly pane: Pane;
  /** The last screen of the present incarnation. */
  readonly seen: Look | null;
  readonly git: GitFacts | null;
  /** The agent's own conversation. `used`: it has taken a prompt, so a new task needs a fresh one. */
  readonly conversation: { readonly id: string; readonly used: boolean } | null;
  /** The program in the pane must be replaced before the next delivery. */
  readonly respawnDue: boolean;
  /** Why `respawnDue` still wants a second signal; null when a person ordered it, or none is due. */
  readonly doubt: Doubt | null;
  readonly task: TaskInHand | null;
  readonly outgoing: Outgoing | null;
  readonly backlog: readonly Outgoing[];
  /** A person's words that a busy program has in its own queue: they go with it if it ends before their turn. */
  readonly queued: readonly Outgoing[];
  /** A turn began at this time of the machine's clock and its end was not judged yet. */
  readonly turnSince: number | null;
  /** The program's record holds the text that began that turn, and neither screen nor git has shown work on it yet. */
  readonly turnUnseen: boolean;
  /** The program was cut off after it had taken the task: give the task again when it is up. */
  readonly restoreDue: boolean;
  /** The turn seems over: look at git and judge. */
  readonly judgeDue: boolean;
  /** The default branch moved while this worker waits for review. */
  readonly rebaseDue: boolean;
  /** No new order before this time: a failed one is cooling. */
  readonly holdUntil: number | null;
  /** Orders that failed in a row. */
  readonly failures: number;
  readonly inFlight: InFlight | null;
  readonly commandSeq: number;
  readonly crashes: { readonly count: number; readonly lastAt: number };
  readonly startFailures: number;
  readonly progress: Progress;
  readonly trouble: Trouble | null;
  readonly incident: Incident | null;
  /** Attempts to recover since the task began, over all incidents (R2). */
  readonly taskAttempts: number;
  /** No new incident is acted on before this time: the last one has just ended. */
  readonly coolUntil: number | null;
  /** A dialog that is to be answered, or that a person was asked about. */
  readonly dialog: DialogInHand | null;
  /** Dialogs that were answered during this task. */
  readonly answered: readonly DialogCount[];
  /** A person has taken over by hand: nothing is typed and nobody is nudged until the next order. */
  readonly takenOver: boolean;
  readonly account: AccountPause | null;
  readonly checkpoint: LastCheckpoint | null;
  /** When a checkpoint was last tried, whether or not there was work to keep. */
  readonly checkpointTriedAt: number;
  readonly checkpointDue: CheckpointDue | null;
  readonly restoreFrom: RestoreDue | null;
  readonly conflicts: ConflictCount | null;
  readonly accept: Accept | null;
  /** Why the worker is where it is, in words for people. */
  readonly note: string;
  /** The whole set of armed deadlines, epoch milliseconds. */
  readonly deadlines: Readonly<Partial<Record<DeadlineName, number>>>;
}

/** A worker that was just added: no worktree, no session, wanted up. */
export function newWorker(): Worker {
  return {
    status: 'offline',
    before: 'idle',
    wanted: 'up',
    worktree: { kind: 'none' },
    resetDue: false,
    pane: { kind: 'absent' },
    seen: null,
    git: null,
    conversation: null,
    respawnDue: false,
    doubt: null,
    task: null,
    outgoing: null,
    backlog: [],
    queued: [],
    turnSince: null,
    turnUnseen: false,
    restoreDue: false,
    judgeDue: false,
    rebaseDue: false,
    holdUntil: null,
    failures: 0,
    inFlight: null,
    commandSeq: 0,
    crashes: { count: 0, lastAt: 0 },
    startFailures: 0,
    progress: { mark: null, at: 0, nudges: 0 },
    trouble: null,
    incident: null,
    taskAttempts: 0,
    coolUntil: null,
    dialog: null,
    answered: [],
    takenOver: false,
    account: null,
    checkpoint: null,
    checkpointTriedAt: 0,
    checkpointDue: null,
    restoreFrom: null,
    conflicts: null,
    accept: null,
    note: '',
    deadlines: {},
  };
}
