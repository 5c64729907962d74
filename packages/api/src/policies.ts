/** The recovery policy, and replays of history: what clients send and see, and the use cases. */
import { NAME_MAX, epochMs } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { workerRef } from './texts.ts';

/** A policy that the caller names: the defaults, the policy in force, the policy of a past decision, or changes from a file. */
export const policySide = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('current'), worker: workerRef.optional() }),
  z.object({
    kind: z.literal('version'),
    version: z
      .string()
      .max(12)
      .regex(/^[0-9a-f]{4,12}$/, 'A version has 4 to 12 digits, 0-9 and a-f'),
  }),
  /** Changes to the defaults, in order: a later document overrides an earlier one. */
  z.object({ kind: z.literal('changes'), documents: z.array(z.record(z.string().max(NAME_MAX), z.unknown())).max(2) }),
]);

export type PolicySide = z.infer<typeof policySide>;

/** Asks for the values in force, of one worker or of the project. */
export const policyShowInput = z.object({ worker: workerRef.optional() });

/** Asks for the differences of two policies. */
export const policyDiffInput = z.object({ before: policySide, after: policySide });

/** Asks for a replay of a worker's history: of the last `sinceMs`, or all; under another policy, or only checked. */
export const replayInput = z.object({
  worker: workerRef,
  sinceMs: z.number().int().positive().optional(),
  policy: policySide.optional(),
});

const leaf = z.union([z.number(), z.string(), z.boolean()]);

/** The values of a policy. `from` is the source of a value: Drover, `[policy]`, or `[workers.<name>.policy]`. */
export const policyView = z.object({
  version: z.string(),
  entries: z.array(z.object({ key: z.string(), value: leaf, from: z.enum(['default', 'project', 'worker']) })),
});

export type PolicyView = z.infer<typeof policyView>;

/** Differences of two policies; null if a policy has no such key. */
export const policyDiffView = z.object({
  before: z.string(),
  after: z.string(),
  differences: z.array(z.object({ key: z.string(), before: leaf.nullable(), after: leaf.nullable() })),
});

export type PolicyDiffView = z.infer<typeof policyDiffView>;

const skipped = z.object({
  event: z.number().int(),
  at: epochMs,
  why: z.enum(['no-worker-before', 'policy-unknown', 'not-reproduced']),
});

/** A step that another policy decides otherwise. All steps but the first are hypothetical: they rest on the events that really followed. */
export const replayStepView = z.object({
  event: z.number().int(),
  at: epochMs,
  /** The event, in words. */
  heard: z.string(),
  isFirst: z.boolean(),
  /** Deadlines of the other policy that would have expired before this. */
  passed: z.array(z.object({ name: z.string(), at: epochMs })),
  differences: z.array(z.object({ what: z.string(), was: z.string(), wouldBe: z.string() })),
});

/** A replayed history. `differing` counts all steps that differ; `steps` shows the first of them. */
export const replayView = z.object({
  worker: z.string(),
  from: epochMs.nullable(),
  to: epochMs.nullable(),
  decisions: z.number().int(),
  reproduced: z.number().int(),
  skipped: z.number().int(),
  firstSkipped: skipped.nullable(),
  /** Versions that were in force. */
  policies: z.array(z.string()),
  /** The version of the comparison; null: the history was only checked. */
  against: z.string().nullable(),
  differing: z.number().int(),
  steps: z.array(replayStepView),
});

export type ReplayView = z.infer<typeof replayView>;

/** The use cases of the policy: a part of `Fleet`. */
export interface PolicyFleet {
  showPolicy(input: z.infer<typeof policyShowInput>, by: Actor): Promise<Outcome<PolicyView>>;
  diffPolicies(input: z.infer<typeof policyDiffInput>, by: Actor): Promise<Outcome<PolicyDiffView>>;
  replay(input: z.infer<typeof replayInput>, by: Actor): Promise<Outcome<ReplayView>>;
}
