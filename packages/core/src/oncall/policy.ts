/** Defines how a project's people are asked: `[escalation]` of `drover.toml`, in milliseconds and minutes of the day. */
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { ErrorSeverity } from '../taxonomy/definition.ts';

/** Day of the week, as `drover.toml` names it. */
export type Day = (typeof DAYS)[number];

/** The days, Sunday first. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Hours without calls. */
export interface QuietHours {
  /** Minutes of the day, on the wall of the zone. A `to` that is not after `from` is on the next day. */
  readonly from: number;
  readonly to: number;
  /** Days on which the quiet hours begin. */
  readonly days: readonly Day[];
  /** Lowest severity that is reported all the same. */
  readonly through: ErrorSeverity;
}

/** Targets to notify, and the delay after the question was asked. */
export interface OncallStep {
  readonly afterMs: number;
  /** `*`, `first`, `others`, `desktop`, `bell`, `email:ADDRESS`, `person:NAME`, `role:ROLE`, or a place of a chat such as `slack:C012`. */
  readonly notify: readonly string[];
}

/** Least role of a person who may answer. */
export type AnswerRole = 'responder' | 'operator' | 'admin';

/** Answer when no person gives one. `wait`: nothing; `skip`: the task ends; `no`: the one option that only says no. */
export type DefaultAnswer = 'skip' | 'wait' | 'no';

/** Steps and rules for asking people. */
export interface OncallPolicy {
  /** An IANA name such as `Europe/Berlin`. */
  readonly zone: string;
  readonly quiet: QuietHours | null;
  /** Empty: no person is called. */
  readonly steps: readonly OncallStep[];
  /** Number of further rounds through the steps when no person answers. */
  readonly repeat: number;
  /** Time from an acknowledgement to the reminder. */
  readonly ackReminderMs: number;
  readonly timeout: { readonly afterMs: number; readonly answer: DefaultAnswer } | null;
  readonly answerRole: AnswerRole;
  /** Errors that are graver or lighter here than elsewhere. */
  readonly severity: Readonly<Partial<Record<ErrorCode, ErrorSeverity>>>;
}

/** Stands for every place that there is. */
export const EVERYWHERE = '*';

/** Stands for the place that was linked first and accepts calls. */
export const FIRST = 'first';

/** Stands for every place but the first; for the first if there is no other. */
export const OTHERS = 'others';

const MINUTE_MS = 60_000;

/** Default for one person: one place is notified at once, the others after ten minutes, and both once more; Drover answers nothing by itself. */
export const DEFAULT_ONCALL: OncallPolicy = {
  zone: 'UTC',
  quiet: null,
  steps: [
    { afterMs: 0, notify: [FIRST] },
    { afterMs: 10 * MINUTE_MS, notify: [OTHERS] },
  ],
  repeat: 1,
  ackReminderMs: 30 * MINUTE_MS,
  timeout: null,
  answerRole: 'responder',
  severity: {},
};

/** Milliseconds from the last step of a round to the first of the next one. Source: docs/escalations.md, who is asked and when. */
export const ROUND_GAP_MS = 10 * MINUTE_MS;

/** Milliseconds after which a call that no place shows brings the next step. Source: as above. */
export const REACH_MS = MINUTE_MS;

/** Milliseconds after which a question that no place shows is announced everywhere: people would learn of it in the morning. Source: as above. */
export const ALARM_MS = 5 * MINUTE_MS;

/** Milliseconds from the reminder of an acknowledgement until the question is open again. Source: as above. */
export const ACK_LAPSE_MS = 10 * MINUTE_MS;

/** The longest snooze, in milliseconds. */
export const SNOOZE_MAX_MS = 24 * 60 * MINUTE_MS;

/** Milliseconds within which a question that is asked again does not begin the steps again: a screen that flickers calls no person twice. */
export const ANEW_MIN_MS = MINUTE_MS;

/**
 * Milliseconds that a first step waits if one cause stops many workers at once: the questions of a storm come within this time, and are one
 * card then.
 */
export const STORM_SETTLES_MS = 3_000;

/** Milliseconds that calls held back by quiet hours or a silence wait for each other when these end: places announce them by one alarm. */
export const HELD_GATHER_MS = 3_000;

const RANK: Readonly<Record<ErrorSeverity, number>> = { info: 0, warning: 1, error: 2, fatal: 3 };

/** Tells whether a severity is at least as grave as another. */
export function isAsGrave(one: ErrorSeverity, other: ErrorSeverity): boolean {
  return RANK[one] >= RANK[other];
}
