/** What do clients see? Schemas of everything that the API answers, so that a client can check what it prints. */
import { DEADLINE_NAMES, WORKER_STATUSES } from '@drover/core';
import { epochMs, uuid } from '@drover/protocol';
import type { QueryResult } from '@drover/protocol';
import { z } from 'zod';

/** The state of a worker; core's `STATUS_MEANING` says what each means. */
export const workerStatus = z.enum(WORKER_STATUSES);

/** The state of a machine: `never` has not said hello yet, `revoked` is refused. */
export const machineState = z.enum(['connected', 'suspect', 'disconnected', 'never', 'revoked']);

/** One worker as `drover status` shows it. Times are epoch milliseconds. */
export const workerView = z.object({
  id: uuid,
  name: z.string(),
  project: z.string(),
  machine: z.string(),
  machineState,
  profile: z.string(),
  model: z.string().nullable(),
  status: workerStatus,
  /** Why it is in that state, in words. */
  note: z.string(),
  /** What the screen shows, in one word, if anything was seen. */
  screen: z.string().nullable(),
  prompt: z.string().nullable(),
  branch: z.string(),
  worktree: z.string(),
  session: z.string(),
  commit: z.string().nullable(),
  crashes: z.number().int(),
  accepting: z.string().nullable(),
  updatedAt: epochMs,
  createdAt: epochMs,
});
/** A checked `workerView`. */
export type WorkerView = z.infer<typeof workerView>;

/**
 * One machine as `drover machines` shows it. `facts` is what it said of itself at its last hello; `workers` counts the
 * seats on it; `lastSeenAt` is null until its first hello.
 */
export const machineView = z.object({
  id: uuid,
  name: z.string(),
  state: machineState,
  epoch: z.number().int(),
  version: z.string().nullable(),
  facts: z.record(z.string(), z.string()).nullable(),
  workers: z.number().int(),
  lastSeenAt: epochMs.nullable(),
  /** The address of the coordinator that it dialled at its last hello. */
  dialledUrl: z.string().nullable(),
  revokedAt: epochMs.nullable(),
  /** Since when a new key of it is waited for. */
  rotateSince: epochMs.nullable(),
});
/** A checked `machineView`. */
export type MachineView = z.infer<typeof machineView>;

/** What became of an order about a machine: the machine, and the names of the workers that have, or had, their seat there. */
export const machineOrderView = z.object({ machine: machineView, workers: z.array(z.string()).readonly() });
/** A checked `machineOrderView`. */
export type MachineOrderView = z.infer<typeof machineOrderView>;

/** A join token, the identity of the coordinator that it holds, and until when it is good, epoch milliseconds. */
export const invitationView = z.object({ token: z.string(), coordinator: z.string(), expiresAt: epochMs });
/** A checked `invitationView`. */
export type InvitationView = z.infer<typeof invitationView>;

/** One line of a worker's history: what was heard, which rules fired, what followed. */
export const eventView = z.object({
  id: z.number().int(),
  worker: z.string(),
  at: epochMs,
  kind: z.string(),
  rules: z.array(z.string()),
  from: workerStatus,
  to: workerStatus,
  /** Sentences for people. */
  said: z.array(z.string()),
  /** Who caused it: `person NAME`, `worker NAME`, `machine NAME` or `policy`; null for what an older build decided. */
  by: z.string().nullable(),
  /** The version of the policy that it was decided under; null for what an older build decided. */
  policy: z.string().nullable(),
});
/** A checked `eventView`. */
export type EventView = z.infer<typeof eventView>;

/** A deadline that is armed, when it expires in epoch milliseconds, and what it is waited for. */
export const deadlineView = z.object({ name: z.enum(DEADLINE_NAMES), at: epochMs, meaning: z.string() });

/**
 * The evidence of one delivery: how it was typed, how many bytes, how often Enter was pressed, and when each step ended
 * by the machine's clock. `at` is the coordinator's.
 */
export const receiptView = z.object({
  purpose: z.string(),
  outcome: z.string(),
  at: epochMs,
  method: z.string(),
  bytes: z.number().int(),
  enters: z.number().int(),
  evidence: z.array(z.string()),
  steps: z.array(z.object({ step: z.string(), at: epochMs })),
});

/** The decision that led here and what will happen next. */
export const whyView = z.object({
  worker: workerView,
  /** The newest decision that changed how it stands; its `id` is in `history` too. */
  last: eventView.nullable(),
  /** Newest first. */
  history: z.array(eventView),
  /** The rules of `last`, in words. */
  because: z.array(z.string()),
  /** How it stands: its incident, what was tried, and the exact commands that a person can give. */
  about: z.array(z.string()),
  inFlight: z.object({ op: z.string(), since: epochMs }).nullable(),
  next: z.array(deadlineView),
  receipts: z.array(receiptView),
  /** The question about it that waits for a person. */
  escalation: z.object({ shortId: z.string(), title: z.string() }).nullable(),
});
/** A checked `whyView`. */
export type WhyView = z.infer<typeof whyView>;

/** An agent profile that may be chosen. `build`: it comes with Drover; `fleet`: it was put here and reaches every machine. */
export const profileView = z.object({
  name: z.string(),
  origin: z.enum(['build', 'fleet']),
  revision: z.number().int(),
});
/** A checked `profileView`. */
export type ProfileView = z.infer<typeof profileView>;

/** A worker's screen as it is now, and what it was taken for. */
export type ScreenView = Extract<QueryResult, { kind: 'screen' }>;

/**
 * The work of a worker against its base: its commits and their difference. A difference longer than 512 KiB is cut and
 * says so.
 */
export const reviewView = z.object({
  worker: workerView,
  base: z.string(),
  /** The commit that is shown, and its tree: an accept by the same caller means these. */
  head: z.string(),
  tree: z.string(),
  commits: z.array(z.object({ commit: z.string(), subject: z.string(), author: z.string() })),
  diff: z.string(),
});
/** A checked `reviewView`. */
export type ReviewView = z.infer<typeof reviewView>;

/** The answer to an order: what was done, and to whom. */
export const orderView = z.object({ worker: workerView });
/** A checked `orderView`. */
export type OrderView = z.infer<typeof orderView>;
