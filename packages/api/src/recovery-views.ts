/** What do clients see of incidents, errors, escalations and accounts? */
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import { machineState, workerStatus } from './views.ts';

/** One row of the error log. Times are epoch milliseconds, spans milliseconds. */
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
  /** From when the machine saw it until it was decided on. */
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
  /** How its incident ended; null while that is open, or where there is none. */
  outcome: z.enum(['recovered', 'escalated', 'resolved', 'cancelled']).nullable(),
  /** What a person can do, best first. */
  remediation: z.array(z.string()),
});
/** A checked `errorView`. */
export type ErrorView = z.infer<typeof errorView>;

/** The diagnostic bundle: what was known when a person was asked. Lines of panes are redacted. */
export const escalationContext = z.object({
  worker: z.string(),
  project: z.string(),
  machine: z.string(),
  machineState,
  profile: z.string(),
  account: z.string(),
  status: workerStatus,
  note: z.string(),
  lastActivityAt: epochMs.nullable(),
  /** Its first 200 characters. */
  prompt: z.string().nullable(),
  worktree: z.string(),
  code: z.string(),
  errorId: uuid.nullable(),
  attempts: z.number().int(),
  tried: z.array(z.string()),
  /** What was done about it, oldest first. */
  history: z.array(z.object({ at: epochMs, kind: z.string(), action: z.string() })),
  pane: z.array(z.string()),
  git: z
    .object({
      head: z.string(),
      ahead: z.number().int(),
      dirty: z.number().int(),
      subject: z.string(),
      rebasing: z.boolean(),
      unmerged: z.number().int(),
    })
    .nullable(),
  remediation: z.array(z.string()),
  /** Of the screen that is asked about. */
  fingerprint: z.string().nullable(),
  /** What it may be one of many of. */
  storm: z.string().nullable(),
});
/** A checked `escalationContext`. */
export type EscalationContext = z.infer<typeof escalationContext>;

/** One escalation. *Accepted* is `status` and `resolution`; *applied* is `application`. */
export const escalationView = z.object({
  id: uuid,
  /** The end of the id, which is enough to name it. */
  shortId: z.string(),
  worker: z.string(),
  /** More than one when a storm was folded. */
  workers: z.array(z.object({ worker: z.string(), incident: uuid.nullable(), over: z.boolean() })),
  level: z.number().int(),
  severity: z.string(),
  status: z.enum(['open', 'acked', 'resolved', 'expired', 'cancelled']),
  title: z.string(),
  body: z.string(),
  question: z.object({
    kind: z.enum(['choice', 'text', 'approve']),
    options: z.array(z.object({ id: z.string(), label: z.string(), needsText: z.boolean() })),
  }),
  resolution: z.object({ option: z.string(), text: z.string().nullable(), by: z.string(), at: epochMs }).nullable(),
  application: z.enum(['pending', 'applied', 'rejected_stale', 'failed']).nullable(),
  occurrences: z.number().int(),
  ackedBy: z.string().nullable(),
  createdAt: epochMs,
  updatedAt: epochMs,
  resolvedAt: epochMs.nullable(),
  context: escalationContext,
  /** Commands that work as they stand here, the answers first. */
  commands: z.array(z.string()),
});
/** A checked `escalationView`. */
export type EscalationView = z.infer<typeof escalationView>;

/** An account whose workers wait for a limit, or try whether it is over. */
export const accountView = z.object({
  key: z.string(),
  state: z.enum(['open', 'paused', 'probing']),
  since: epochMs,
  /** When the next try is due; null while open. */
  until: epochMs.nullable(),
  /** Whether the program said when its limit resets. */
  stated: z.boolean(),
  /** The worker that tries. */
  probe: z.string().nullable(),
  /** Workers that wait to go on. */
  waiting: z.array(z.string()),
});
/** A checked `accountView`. */
export type AccountView = z.infer<typeof accountView>;

/** Spans in milliseconds, of `count` cases. */
export const spans = z.object({ count: z.number().int(), p50: z.number(), p90: z.number(), max: z.number() });
/** A checked `spans`. */
export type Spans = z.infer<typeof spans>;

/** What went wrong since `since`, and how it went on. */
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
  incidents: z.object({
    total: z.number().int(),
    open: z.number().int(),
    recovered: z.number().int(),
    escalated: z.number().int(),
    resolved: z.number().int(),
    cancelled: z.number().int(),
    /** Share of those that ended which recovered without a person; null while none has ended. */
    recoveryRate: z.number().nullable(),
  }),
  /** By what recovery was tried, and in how many incidents the last try was this one and helped. */
  recoveries: z.array(z.object({ how: z.string(), attempts: z.number().int(), helped: z.number().int() })),
  timeToDetectMs: spans.nullable(),
  timeToRecoverMs: spans.nullable(),
  /** How many incidents recovered after so many attempts. */
  retriesBeforeSuccess: z.array(z.object({ attempts: z.number().int(), incidents: z.number().int() })),
  escalations: z.object({
    total: z.number().int(),
    open: z.number().int(),
    resolved: z.number().int(),
    expired: z.number().int(),
    cancelled: z.number().int(),
  }),
  suggestions: z.array(z.string()),
  /** Where to look further: what, and the command that shows it. */
  references: z.array(z.object({ what: z.string(), command: z.string() })),
});
/** A checked `reportView`. */
export type ReportView = z.infer<typeof reportView>;
