/** A tool that failed inside an agent's turn, as a machine tells it. Written by whatever runs as the worker's user: checked, and kept short. */
import { FAILURE_CLASSES } from '@drover/core';
import type { FailureAction } from '@drover/core';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import { z } from 'zod';
import { epochMs } from './names.ts';

/** Longest text of any part, in characters; core cuts its own at 200, and a prompt may be made of several. */
const line = z.string().max(1_000);
const count = z.number().int().nonnegative();

const location = z.object({ file: line, line: count, column: count.nullable() });

const action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('retry'),
    attempt: count,
    attemptsMax: count,
    delayMs: z.number().nonnegative(),
    notBefore: z.number().nonnegative(),
    timeoutFactor: z.number().positive(),
  }),
  z.object({
    kind: z.literal('queue'),
    item: z.object({
      priority: z.enum(['S0', 'S1', 'S2', 'S3']),
      title: line,
      details: line,
      location: location.nullable(),
    }),
  }),
  z.object({ kind: z.literal('escalate'), title: line, needed: line, remediation: z.array(line).max(10).readonly() }),
  z.object({ kind: z.literal('block'), alert: line }),
  z.object({ kind: z.literal('log') }),
]) satisfies z.ZodType<FailureAction>;

/** Line of a worker's file of failures. */
export const toolFailureReport = z.object({
  at: epochMs,
  conversation: line,
  tool: line,
  name: line,
  class: z.enum([...FAILURE_CLASSES, 'findings']),
  rule: line,
  phase: z.enum(['build', 'test', 'quality']).nullable(),
  evidence: line,
  signature: line,
  operation: line,
  action,
  pauseAccount: z.object({ service: line.nullable(), until: z.number().nonnegative() }).nullable(),
}) satisfies z.ZodType<ToolFailureReport>;
