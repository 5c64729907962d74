/** Commands and their results as they cross the wire. */
import { CHECKPOINT_TYPES, VERDICTS } from '@drover/core';
import type {
  AnswerChoice,
  CandidateNote,
  DeliveryEvidence,
  GitFacts,
  Gitlink,
  Launch,
  Reading,
  Command,
  CommandResult,
  Pin,
  Receipt,
  TrainLink,
} from '@drover/core';
import { z } from 'zod';
import { agentState } from './agent-state.ts';
import { setUp, supplies } from './machine/supplies.ts';
import { resultTold, runItem } from './run/results.ts';
import { epochMs, line, LIST_MAX, objectName, text, uuid } from './names.ts';

const launch = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fresh'), conversation: uuid }),
  z.object({ kind: z.literal('resume'), conversation: uuid }),
]) satisfies z.ZodType<Launch>;

const answerChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('policy'), dialog: text }),
  z.object({ kind: z.literal('label'), label: text }),
]) satisfies z.ZodType<AnswerChoice>;

const pin = z.object({
  head: objectName,
  tree: objectName.nullable(),
  against: objectName.optional(),
}) satisfies z.ZodType<Pin>;

const work = z.object({ head: objectName, task: uuid.nullable() });

const candidateNote = z.object({
  kind: z.literal('undone-others'),
  paths: z.array(text).max(LIST_MAX).readonly(),
  count: z.number().int().nonnegative(),
}) satisfies z.ZodType<CandidateNote>;

const gitlink = z.object({
  path: text,
  commit: line,
  address: text.nullable(),
  found: z.enum(['nowhere', 'absent', 'unknown']),
  why: text,
}) satisfies z.ZodType<Gitlink>;

const trainLink = z.object({
  worker: line,
  head: line,
  base: line,
  commit: line,
  tree: line,
}) satisfies z.ZodType<TrainLink>;

/** A schema that reads each kind; it does not compile while one is missing. */
function readsEvery<T extends { readonly kind: string }>(): <S extends z.ZodType<T>>(
  schema: S & ([T['kind']] extends [z.output<S>['kind']] ? unknown : { readonly missing: T['kind'] }),
) => S {
  return (schema) => schema;
}

/** Typed command. */
export const command = readsEvery<Command>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('prepare'), reset: z.boolean(), saveAs: line, from: objectName.optional() }),
    z.object({ kind: z.literal('set-up') }),
    z.object({ kind: z.literal('open'), launch }),
    z.object({ kind: z.literal('respawn'), incarnation: line, launch, force: z.boolean() }),
    z.object({ kind: z.literal('close') }),
    z.object({
      kind: z.literal('deliver'),
      incarnation: line,
      text,
      method: z.enum(['profile', 'typed', 'buffer']),
      settleMs: z.number().int().nonnegative(),
      mayQueue: z.boolean(),
      clearFirst: z.boolean(),
      enterOnly: z.boolean(),
      textId: line,
      task: uuid.optional(),
      owed: runItem.optional(),
    }),
    z.object({
      kind: z.literal('observe'),
      base: line.nullable(),
      delivery: z.number().int().nullable(),
      textId: line.optional(),
      owed: runItem.optional(),
    }),
    z.object({ kind: z.literal('answer'), incarnation: line, fingerprint: line, choice: answerChoice }),
    z.object({ kind: z.literal('interrupt'), incarnation: line, standsMs: z.number().int().nonnegative() }),
    z.object({
      kind: z.literal('checkpoint'),
      id: line,
      type: z.enum(CHECKPOINT_TYPES),
      why: text,
      keptMax: z.number().int().positive().optional(),
    }),
    z.object({ kind: z.literal('restore'), id: line, commit: line, saveAs: line }),
    z.object({ kind: z.literal('rebase'), at: pin.nullable(), began: line.nullable() }),
    z.object({ kind: z.literal('resolution'), onto: line, orig: line, beyond: line.optional() }),
    z.object({ kind: z.literal('validate'), at: pin, on: line.optional() }),
    z.object({ kind: z.literal('candidate'), at: pin.nullable(), began: line.nullable() }),
    z.object({
      kind: z.literal('extend'),
      onto: objectName,
      items: z
        .array(z.object({ worker: line, at: pin, elsewhere: z.boolean().optional() }))
        .max(LIST_MAX)
        .readonly(),
    }),
    z.object({ kind: z.literal('publish'), base: objectName, commit: objectName, work: work.optional() }),
    z.object({ kind: z.literal('prove'), commit: objectName }),
    z.object({ kind: z.literal('recycle'), commit: line, head: line.nullable() }),
    z.object({
      kind: z.literal('freeze'),
      move: z.string().max(64),
      id: z.string().max(64),
      mustSave: z.boolean(),
    }),
    z.object({ kind: z.literal('let-in'), move: z.string().max(64) }),
    z.object({ kind: z.literal('remove'), force: z.boolean() }),
  ]),
);

const gitFacts = z.object({
  head: line,
  ahead: z.number().int(),
  dirty: z.number().int(),
  subject: text,
  rebasing: z.boolean(),
  unmerged: z.number().int(),
  astray: z.object({ branch: line.nullable(), expected: line, holdsExpected: z.boolean() }).optional(),
  signs: z.boolean().optional(),
}) satisfies z.ZodType<GitFacts>;

const deliveryEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('taken'), by: z.enum(['transcript', 'hook', 'screen']) }),
  z.object({ kind: z.literal('in-box-whole') }),
  z.object({ kind: z.literal('in-box-part') }),
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('unclear'), why: text }),
]) satisfies z.ZodType<DeliveryEvidence>;

const receipt = z.object({
  evidence: z.array(text).max(LIST_MAX).readonly(),
  steps: z
    .array(z.object({ step: z.enum(['preflight', 'typed', 'seen-in-box', 'entered', 'taken']), at: epochMs }))
    .max(LIST_MAX)
    .readonly(),
  method: line,
  bytes: z.number().int(),
  enters: z.number().int(),
}) satisfies z.ZodType<Receipt>;

/** A screen, understood. */
export const reading = z.object({
  at: epochMs,
  state: agentState,
  fingerprint: line,
  progress: text,
  rule: line,
}) satisfies z.ZodType<Reading>;

/** Result of a command. */
export const commandResult = readsEvery<CommandResult>()(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('failed'),
      code: line,
      message: text,
      retry: z.boolean(),
      newestSeq: z.int32().optional(),
    }),
    z.object({ kind: z.literal('unknown'), why: text, receipt: receipt.optional() }),
    z.object({
      kind: z.literal('prepared'),
      base: line,
      head: line,
      saved: line.nullable(),
      supplies: supplies.optional(),
      setUp: setUp.optional(),
    }),
    z.object({ kind: z.literal('set-up'), said: text }),
    z.object({ kind: z.literal('opened'), incarnation: line }),
    z.object({ kind: z.literal('pane-gone') }),
    z.object({ kind: z.literal('closed') }),
    z.object({ kind: z.literal('removed'), kept: text.nullable() }),
    z.object({ kind: z.literal('frozen'), commit: objectName.nullable() }),
    z.object({ kind: z.literal('let-in') }),
    z.object({ kind: z.literal('not-removed'), why: text }),
    z.object({ kind: z.literal('delivered'), at: epochMs, receipt }),
    z.object({ kind: z.literal('queued'), at: epochMs, receipt }),
    z.object({
      kind: z.literal('refused'),
      why: z.enum(['not-ready', 'dialog', 'draft', 'pane-gone', 'too-long', 'busy']),
      detail: text,
    }),
    z.object({ kind: z.literal('lost'), receipt }),
    z.object({ kind: z.literal('partial'), receipt }),
    z.object({
      kind: z.literal('observed'),
      incarnation: line.nullable(),
      screen: reading.nullable(),
      git: gitFacts.nullable(),
      delivery: deliveryEvidence.nullable(),
      result: resultTold,
    }),
    z.object({ kind: z.literal('answered'), label: text }),
    z.object({ kind: z.literal('stale'), why: text }),
    z.object({ kind: z.literal('at-rest'), pressed: z.number().int().nonnegative() }),
    z.object({ kind: z.literal('not-interrupted'), why: text }),
    z.object({
      kind: z.literal('checkpointed'),
      commit: line.nullable(),
      head: line,
      dirty: z.number().int(),
    }),
    z.object({
      kind: z.literal('restored'),
      head: line,
      saved: line.nullable(),
      supplies: supplies.optional(),
      setUp: setUp.optional(),
    }),
    z.object({
      kind: z.literal('rebased'),
      base: line,
      from: line,
      head: line,
      moved: z.boolean(),
    }),
    z.object({
      kind: z.literal('conflict'),
      files: z.array(text).max(LIST_MAX).readonly(),
      prompt: text,
      onto: line,
      orig: line,
      beyond: line.optional(),
    }),
    z.object({
      kind: z.literal('judged'),
      verdict: z.enum(VERDICTS),
      head: line,
      why: text,
      prompt: text,
      notes: z.array(text).max(LIST_MAX).readonly(),
    }),
    z.object({
      kind: z.literal('candidate'),
      head: line,
      headTree: line,
      base: line,
      commit: line,
      tree: line,
      checks: line,
      notes: z.array(candidateNote).max(LIST_MAX).readonly(),
      gitlinks: z.array(gitlink).max(LIST_MAX).readonly().optional(),
    }),
    z.object({ kind: z.literal('clash'), head: line, base: line, files: z.array(text).max(LIST_MAX).readonly() }),
    z.object({ kind: z.literal('contained'), head: line, base: line }),
    z.object({ kind: z.literal('rewritten'), head: line, base: line, dropped: line }),
    z.object({
      kind: z.literal('extended'),
      onto: line,
      links: z.array(trainLink).max(LIST_MAX).readonly(),
      left: z
        .array(
          z.object({ worker: line, why: z.enum(['clash', 'contained', 'changed', 'isolated', 'away']), detail: text }),
        )
        .max(LIST_MAX)
        .readonly(),
    }),
    z.object({
      kind: z.literal('valid'),
      head: line,
      tree: line,
      checks: line,
      on: line.optional(),
    }),
    z.object({ kind: z.literal('invalid'), command: text, output: text, on: line.optional() }),
    z.object({ kind: z.literal('published'), commit: line }),
    z.object({ kind: z.literal('offered'), commit: line, branch: line, why: text }),
    z.object({ kind: z.literal('moved'), now: line }),
    z.object({ kind: z.literal('blocked'), why: text }),
    z.object({ kind: z.literal('rejected'), words: text }),
    z.object({ kind: z.literal('proven'), commit: line }),
    z.object({ kind: z.literal('unproven'), now: line }),
    z.object({ kind: z.literal('changed'), head: line, why: text }),
    z.object({ kind: z.literal('recycled'), base: line }),
  ]),
);
