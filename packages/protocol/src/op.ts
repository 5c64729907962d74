/** Orders and their results as they cross the wire. */
import { CHECKPOINT_TYPES } from '@drover/core';
import type { AnswerChoice, DeliveryEvidence, GitFacts, Launch, Look, Op, OpResult, Receipt } from '@drover/core';
import { z } from 'zod';
import { agentState } from './agent-state.ts';
import { epochMs, uuid } from './names.ts';

const launch = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fresh'), conversation: uuid }),
  z.object({ kind: z.literal('resume'), conversation: uuid }),
]) satisfies z.ZodType<Launch>;

const answerChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('policy'), dialog: z.string() }),
  z.object({ kind: z.literal('label'), label: z.string() }),
]) satisfies z.ZodType<AnswerChoice>;

/** One typed order. */
export const op = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prepare'), reset: z.boolean(), saveAs: z.string() }),
  z.object({ kind: z.literal('open'), launch }),
  z.object({ kind: z.literal('respawn'), incarnation: z.string(), launch, force: z.boolean() }),
  z.object({ kind: z.literal('close') }),
  z.object({
    kind: z.literal('deliver'),
    incarnation: z.string(),
    text: z.string(),
    method: z.enum(['profile', 'typed', 'buffer']),
    settleMs: z.number().int().nonnegative(),
    mayQueue: z.boolean(),
    clearFirst: z.boolean(),
    enterOnly: z.boolean(),
  }),
  z.object({ kind: z.literal('look'), base: z.string().nullable(), delivery: z.number().int().nullable() }),
  z.object({ kind: z.literal('answer'), incarnation: z.string(), fingerprint: z.string(), choice: answerChoice }),
  z.object({ kind: z.literal('checkpoint'), id: z.string(), type: z.enum(CHECKPOINT_TYPES), why: z.string() }),
  z.object({ kind: z.literal('restore'), id: z.string(), commit: z.string(), saveAs: z.string() }),
  z.object({ kind: z.literal('rebase') }),
  z.object({ kind: z.literal('validate') }),
  z.object({ kind: z.literal('squash'), base: z.string() }),
  z.object({ kind: z.literal('fast-forward'), expected: z.string(), commit: z.string() }),
  z.object({ kind: z.literal('recycle'), commit: z.string() }),
  z.object({ kind: z.literal('remove'), force: z.boolean() }),
]) satisfies z.ZodType<Op>;

const gitFacts = z.object({
  head: z.string(),
  ahead: z.number().int(),
  dirty: z.number().int(),
  subject: z.string(),
  rebasing: z.boolean(),
  unmerged: z.number().int(),
}) satisfies z.ZodType<GitFacts>;

const deliveryEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('taken'), by: z.enum(['transcript', 'hook', 'screen']) }),
  z.object({ kind: z.literal('in-box-whole') }),
  z.object({ kind: z.literal('in-box-part') }),
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('unclear'), why: z.string() }),
]) satisfies z.ZodType<DeliveryEvidence>;

const receipt = z.object({
  evidence: z.array(z.string()).readonly(),
  steps: z
    .array(z.object({ step: z.enum(['preflight', 'typed', 'seen-in-box', 'entered', 'taken']), at: epochMs }))
    .readonly(),
  method: z.string(),
  bytes: z.number().int(),
  enters: z.number().int(),
}) satisfies z.ZodType<Receipt>;

/** A screen, understood. */
export const look = z.object({
  at: epochMs,
  state: agentState,
  fingerprint: z.string(),
  progress: z.string(),
  rule: z.string(),
}) satisfies z.ZodType<Look>;

/** How an order ended. */
export const opResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string(), retry: z.boolean() }),
  z.object({ kind: z.literal('unknown'), why: z.string(), receipt: receipt.optional() }),
  z.object({ kind: z.literal('prepared'), base: z.string(), head: z.string(), saved: z.string().nullable() }),
  z.object({ kind: z.literal('opened'), incarnation: z.string() }),
  z.object({ kind: z.literal('pane-gone') }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('removed'), kept: z.string().nullable() }),
  z.object({ kind: z.literal('not-removed'), why: z.string() }),
  z.object({ kind: z.literal('delivered'), at: epochMs, receipt }),
  z.object({ kind: z.literal('queued'), at: epochMs, receipt }),
  z.object({
    kind: z.literal('refused'),
    why: z.enum(['not-ready', 'dialog', 'draft', 'pane-gone', 'too-long', 'busy']),
    detail: z.string(),
  }),
  z.object({ kind: z.literal('lost'), receipt }),
  z.object({ kind: z.literal('partial'), receipt }),
  z.object({
    kind: z.literal('looked'),
    incarnation: z.string().nullable(),
    screen: look.nullable(),
    git: gitFacts.nullable(),
    delivery: deliveryEvidence.nullable(),
  }),
  z.object({ kind: z.literal('answered'), label: z.string() }),
  z.object({ kind: z.literal('stale'), why: z.string() }),
  z.object({
    kind: z.literal('checkpointed'),
    commit: z.string().nullable(),
    head: z.string(),
    dirty: z.number().int(),
  }),
  z.object({ kind: z.literal('restored'), head: z.string(), saved: z.string().nullable() }),
  z.object({ kind: z.literal('rebased'), base: z.string(), head: z.string(), moved: z.boolean() }),
  z.object({ kind: z.literal('conflict'), files: z.array(z.string()).readonly(), prompt: z.string() }),
  z.object({ kind: z.literal('valid') }),
  z.object({ kind: z.literal('invalid'), command: z.string(), output: z.string() }),
  z.object({ kind: z.literal('squashed'), commit: z.string(), expected: z.string() }),
  z.object({ kind: z.literal('nothing-to-merge') }),
  z.object({ kind: z.literal('merged'), commit: z.string() }),
  z.object({ kind: z.literal('moved'), now: z.string() }),
  z.object({ kind: z.literal('blocked'), why: z.string() }),
  z.object({ kind: z.literal('recycled'), base: z.string() }),
]) satisfies z.ZodType<OpResult>;
