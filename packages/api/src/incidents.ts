/** Incidents, the error log and reports: what clients send and see, and the use cases. */
import { ERROR_CODES, isErrorCode } from '@drover/core';
import type { ErrorCode } from '@drover/core';
import { NAME_MAX, epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { ListPlace, Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { idPart, workerName } from './texts.ts';

/** An error code in upper or lower case, with `-` or `_`. */
const errorCode = z
  .string()
  .max(NAME_MAX)
  .transform((given, context): ErrorCode => {
    const code = given.toUpperCase().replaceAll('-', '_');
    if (isErrorCode(code)) return code;
    context.addIssue({
      code: 'custom',
      message: `"${given}" is not an error code; the codes are: ${ERROR_CODES.join(', ')}`,
    });
    return z.NEVER;
  });

/** Asks for the error log, newest first. `sinceMs` counts back from now. */
export const errorsInput = z.object({
  worker: workerName.optional(),
  code: errorCode.optional(),
  sinceMs: z.number().int().positive().optional(),
  /** Includes ended errors: recovered, or of an incident that ended otherwise. */
  all: z.boolean(),
  limit: z.number().int().min(1).max(1_000),
});

/** Asks for a summary, of one worker or of all. `sinceMs` counts back from now. */
export const reportInput = z.object({ worker: workerName.optional(), sinceMs: z.number().int().positive() });

/** A row of the error log. Times are epoch milliseconds, spans milliseconds. */
export const errorView = z.object({
  id: uuid,
  incident: uuid.nullable(),
  code: z.string(),
  category: z.string(),
  severity: z.string(),
  message: z.string(),
  details: z.string().nullable(),
  component: z.string(),
  machine: z.string().nullable(),
  worker: z.string().nullable(),
  role: z.string().nullable(),
  task: z.string().nullable(),
  run: z.string().nullable(),
  at: epochMs,
  durationMs: z.number().nullable(),
  /** Span from the observation by the machine to the decision. */
  detectMs: z.number().nullable(),
  recoverable: z.boolean(),
  retryable: z.boolean(),
  retryCount: z.number().int(),
  strategy: z.string().nullable(),
  stack: z.string().nullable(),
  context: z.record(z.string(), z.unknown()),
  /** The error that led to this one. */
  cause: uuid.nullable(),
  recovered: z.boolean(),
  recoveredAt: epochMs.nullable(),
  /** End of the error's incident; null while the incident is open, or if there is none. */
  outcome: z.enum(['recovered', 'escalated', 'resolved', 'cancelled']).nullable(),
  /** Actions that a person can take, best first. */
  remediation: z.array(z.string()),
});

export type ErrorView = z.infer<typeof errorView>;

export const errorInput = z.object({ id: idPart('an error') });

/** An error with all known facts. */
export interface ErrorDetail extends ErrorView {
  /** The last lines of its worker's terminal at the time of the error; empty: there were none, or its machine did not answer. */
  readonly pane: readonly string[];
  /** Lines of `git status` of the worktree at that time. */
  readonly git: readonly string[];
  /** Actions on the error's incident, oldest first. */
  readonly history: readonly { readonly at: number; readonly kind: string; readonly action: string }[];
  /** Commands for further reading, which can be pasted unchanged. */
  readonly commands: readonly string[];
}

/** Spans in milliseconds, of `count` cases. */
export const spans = z.object({ count: z.number().int(), p50: z.number(), p90: z.number(), max: z.number() });

export type Spans = z.infer<typeof spans>;

/** Use by agents. Null: their programs do not tell. */
const spent = z.object({
  /** Input and output; cached input is not counted. */
  tokens: z.number().int().nullable(),
  cachedTokens: z.number().int().nullable(),
  dollars: z.number().nullable(),
  /** True if some of its programs do not tell tokens, or dollars: there are more. */
  moreTokens: z.boolean(),
  moreDollars: z.boolean(),
  /** Time at work. */
  workedMs: z.number().int(),
});

export type SpentView = z.infer<typeof spent>;

/** Cost of the days that lie in the period, wholly or in part. The greatest first; days newest first. */
const cost = z.object({
  inAll: spent,
  tasks: z.array(spent.extend({ task: uuid, worker: z.string(), prompt: z.string().nullable() })),
  workers: z.array(spent.extend({ worker: z.string() })),
  projects: z.array(spent.extend({ project: z.string() })),
  /** `date`: the date in the time zone of the first such project, in which the day begins. */
  days: z.array(spent.extend({ day: epochMs, date: z.string() })),
  /** Tasks that cost less than those shown. */
  otherTasks: z.number().int(),
});

/** Errors since `since`, their outcomes, and the cost. */
export const reportView = z.object({
  worker: z.string().nullable(),
  since: epochMs,
  now: epochMs,
  errors: z.array(
    z.object({
      code: z.string(),
      category: z.string(),
      count: z.number().int(),
      recovered: z.number().int(),
      lastAt: epochMs,
      lastWorker: z.string().nullable(),
      lastMessage: z.string(),
    }),
  ),
  /** All of these errors: `over` recovered or were answered by a person. */
  inAll: z.object({ errors: z.number().int(), over: z.number().int() }),
  /** Failed tools of agents by class: what Drover did with each, and how each ended. Those of no end are open. */
  tools: z.array(
    z.object({
      class: z.string(),
      count: z.number().int(),
      /** The agent was told to try again. */
      retried: z.number().int(),
      /** Became a work item. */
      filed: z.number().int(),
      /** A person was asked. */
      asked: z.number().int(),
      /** Nothing followed. */
      logged: z.number().int(),
      /** Its task came to review without it. */
      recovered: z.number().int(),
      answered: z.number().int(),
      calledOff: z.number().int(),
    }),
  ),
  incidents: z.object({
    total: z.number().int(),
    open: z.number().int(),
    recovered: z.number().int(),
    escalated: z.number().int(),
    resolved: z.number().int(),
    cancelled: z.number().int(),
    /** Share of ended incidents that recovered without a person; null while none has ended. */
    recoveryRate: z.number().nullable(),
  }),
  /** Kinds of recovery with their attempts, and the number of incidents in which that kind was the last try and helped. */
  recoveries: z.array(z.object({ how: z.string(), attempts: z.number().int(), helped: z.number().int() })),
  timeToDetectMs: spans.nullable(),
  timeToRecoverMs: spans.nullable(),
  /** Number of incidents that recovered after so many attempts. */
  retriesBeforeSuccess: z.array(z.object({ attempts: z.number().int(), incidents: z.number().int() })),
  escalations: z.object({
    total: z.number().int(),
    open: z.number().int(),
    resolved: z.number().int(),
    expired: z.number().int(),
    cancelled: z.number().int(),
  }),
  cost,
  suggestions: z.array(z.string()),
  /** Subjects for further reading, each with the command that shows it. */
  references: z.array(z.object({ what: z.string(), command: z.string() })),
});

export type ReportView = z.infer<typeof reportView>;

/** The use cases of errors and reports. */
export interface IncidentFleet {
  listErrors(
    input: z.infer<typeof errorsInput> & { readonly after?: ListPlace | undefined },
    by: Actor,
  ): Promise<readonly ErrorView[]>;
  error(input: z.infer<typeof errorInput>, by: Actor): Promise<Outcome<ErrorDetail>>;
  report(input: z.infer<typeof reportInput>, by: Actor): Promise<Outcome<ReportView>>;
}
