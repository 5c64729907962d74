/** The state of an agent as it crosses the wire. */
import { TRUST_KINDS } from '@drover/core';
import type { AgentState, Composer, Dialog } from '@drover/core';
import { z } from 'zod';
import { LIST_MAX, text } from './names.ts';

const dialog = z.object({
  kind: z.enum(['trust', 'bypass', 'api-key', 'resume', 'limit', 'permission', 'question', 'other']),
  title: text,
  body: text,
  options: z
    .array(
      z.object({
        label: text,
        highlighted: z.boolean(),
        number: z.number().int().positive().max(999).optional(),
        dismisses: z.boolean().optional(),
      }),
    )
    .max(LIST_MAX)
    .readonly(),
  trust: z.object({ kind: z.enum(TRUST_KINDS), accept: text, refuse: text.nullable() }).optional(),
}) satisfies z.ZodType<Dialog>;

const composer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('empty') }),
  z.object({ kind: z.literal('text'), text, whole: z.boolean(), pasted: z.boolean() }),
  z.object({ kind: z.literal('none') }),
]) satisfies z.ZodType<Composer>;

/** Activity of a coding agent; the words are those of core. */
export const agentState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({
    kind: z.literal('ready'),
    after: z.enum(['fresh', 'completed', 'asked', 'interrupted']),
    composer,
    background: text.optional(),
  }),
  z.object({ kind: z.literal('processing'), queued: z.boolean(), composer }),
  z.object({ kind: z.literal('question'), form: z.enum(['multiple-choice', 'yes-no', 'free-text']), dialog }),
  z.object({ kind: z.literal('permission'), tool: text, command: text, dialog }),
  z.object({ kind: z.literal('dialog'), dialog }),
  z.object({
    kind: z.literal('error'),
    error: z.enum([
      'rate-limit',
      'usage-limit',
      'network',
      'overloaded',
      'tool',
      'api',
      'auth',
      'context-exhausted',
      'history-refused',
    ]),
    recoverable: z.boolean(),
    text,
    resets: text.nullable(),
    composer,
  }),
  z.object({
    kind: z.literal('exited'),
    cause: z.enum(['user', 'crash', 'timeout', 'unknown']),
    status: z.number().int().nullable(),
    signal: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal('unknown'), why: z.enum(['empty', 'nothing-matched', 'contradiction']) }),
]) satisfies z.ZodType<AgentState>;
