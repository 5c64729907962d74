/** The slice `incident`: the present failure, the attempts against it, and the error that the agent shows. */
import type { AgentErrorKind } from '../agent-state.ts';
import type { TrustKind } from '../machine/trust.ts';
import type { ErrorCode, RecoveryLevel } from '../taxonomy/codes.ts';
import type { Text } from './mailbox.ts';
import type { MachineName } from './move.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';
import type { WorkerStatus } from './status.ts';

/** An alternative of level 2. Alternatives of one kind may be several, told apart by what they would use. */
export type Alternative =
  /** Clear the context and send the prompt again. */
  | { readonly kind: 'fresh-context' }
  /** Start the agent again in its pane, with its conversation. */
  | { readonly kind: 'respawn-resumed'; readonly conversation: string }
  /** Start the agent again without its conversation. */
  | { readonly kind: 'respawn-clean' }
  /** Restore the last checkpoint and send the prompt again. */
  | { readonly kind: 'rollback'; readonly checkpoint: string }
  /** Go on with another model or another program in the same worktree. */
  | { readonly kind: 'other-profile'; readonly profile: string }
  /** Go on with the worker itself on the other machine, with its work and its conversation. */
  | { readonly kind: 'other-machine'; readonly to: MachineName }
  /** Give the task to an idle worker, perhaps on another machine. */
  | { readonly kind: 'other-worker' };

/** An answer that a person can give. */
export interface QuestionOption {
  /** Id of the answer: `retry`, `skip`, … or, for a dialog, the words of its option. */
  readonly id: string;
  readonly label: string;
  /** True if the answer must bring words of its own. */
  readonly needsText: boolean;
}

/** Question to a person: to choose, to write, or to approve. */
export interface Question {
  readonly kind: 'choice' | 'text' | 'approve';
  readonly title: string;
  readonly body: string;
  readonly options: readonly QuestionOption[];
  /** Trust that the dialog asks for: one question for all workers of the project. */
  readonly trust?: TrustKind | undefined;
}

/** A failure under recovery. A worker has at most one. Times are epoch milliseconds of the coordinator. */
export interface Incident {
  readonly id: string;
  /** Newest error of the incident. */
  readonly code: ErrorCode;
  readonly openedAt: number;
  /** Level, which only rises (R6). */
  readonly level: RecoveryLevel;
  /** Attempts so far, at any level (R2). Waits at a limit are none. */
  readonly attempts: number;
  /** Alternatives of level 2 that were tried, each at most once. */
  readonly tried: readonly Alternative[];
  /** Time at which the last attempt began to act, or begins. */
  readonly lastAttemptAt: number;
  /** True while a person was asked, and has not answered. */
  readonly escalated: boolean;
  /** Options of the person; empty until somebody is asked. */
  readonly options: readonly QuestionOption[];
  /** Cause of the incident, in words for people. */
  readonly why: string;
  /** Last action, in words for people. */
  readonly action: string;
  /** Status of the worker before the incident: "try again" leads there. */
  readonly before: WorkerStatus;
  /** Texts that were on their way when a person was asked. */
  readonly held: readonly Text[];
}

/** An error that the agent shows while its program lives. Times are epoch milliseconds. */
export interface Trouble {
  readonly error: AgentErrorKind;
  /** The agent's own words. */
  readonly text: string;
  readonly since: number;
  /** Waits, or tries, since the last good turn. */
  readonly attempts: number;
  /** True while the program itself retries; the error counts only if that does not help. */
  readonly own: boolean;
  /** End of the wait for the trouble to pass; null: nothing is waited for. */
  readonly until: number | null;
}

/** Troubles of the worker. */
export interface Incidents {
  /** Open incident. */
  readonly open: Incident | null;
  /** Time before which no new incident is acted on, epoch milliseconds: the last one has just ended. */
  readonly coolUntil: number | null;
  readonly trouble: Trouble | null;
}

function untroubled(incidents: Incidents): Incidents {
  return { ...incidents, trouble: null };
}

/** Slice without an incident. */
export const INCIDENT = {
  initial: { open: null, coolUntil: null, trouble: null },
  on: {
    'task-begun': untroubled,
    'task-ended': keep,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': untroubled,
    'budget-renewed': keep,
    'person-resumed': (incidents: Incidents): Incidents => ({ ...incidents, coolUntil: null, trouble: null }),
    'given-up': untroubled,
  },
} satisfies Slice<Incidents>;

/** Opens an incident, or changes the open one. */
export function setIncident(incidents: Incidents, open: Incident): Incidents {
  return { ...incidents, open };
}

/** Changes the open incident, if there is one. */
export function changeIncident(incidents: Incidents, change: Partial<Incident>): Incidents {
  return incidents.open === null ? incidents : { ...incidents, open: { ...incidents.open, ...change } };
}

export function endIncident(incidents: Incidents): Incidents {
  return { ...incidents, open: null };
}

/** Holds new incidents until this time, epoch milliseconds; null: at once. */
export function coolDown(incidents: Incidents, coolUntil: number | null): Incidents {
  return { ...incidents, coolUntil };
}

/** Sets the error that the agent shows; null: none that is waited out or counted. */
export function setTrouble(incidents: Incidents, trouble: Trouble | null): Incidents {
  return { ...incidents, trouble };
}

/** Stops waiting for the error to pass. */
export function awaitNoTrouble(incidents: Incidents): Incidents {
  const { trouble } = incidents;
  return trouble === null || trouble.until === null
    ? incidents
    : { ...incidents, trouble: { ...trouble, until: null } };
}

/** Tells whether a person was asked about the open incident, and has not answered. */
export function isEscalated({ open }: Incidents): boolean {
  return open?.escalated === true;
}

const LIMITS: ReadonlySet<AgentErrorKind> = new Set(['rate-limit', 'usage-limit']);

/** Tells whether an error of an agent is a limit of its account. */
export function isLimit(error: AgentErrorKind): boolean {
  return LIMITS.has(error);
}

export function isWaitingAtLimit({ trouble }: Incidents): boolean {
  return trouble?.until != null && isLimit(trouble.error);
}
