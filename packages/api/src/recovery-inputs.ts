/** What do clients send about errors and escalations? */
import { ERROR_CODES, isErrorCode } from '@drover/core';
import type { ErrorCode } from '@drover/core';
import { uuid, NAME_MAX } from '@drover/protocol';
import { z } from 'zod';
import { words, workerName } from './inputs.ts';

/** In any case, with `-` or `_`. */
const errorCode = z
  .string()
  .max(NAME_MAX)
  .transform((given, context): ErrorCode => {
    const code = given.toUpperCase().replaceAll('-', '_');
    if (isErrorCode(code)) return code;
    context.addIssue({ code: 'custom', message: `The code "${given}" is none; there are: ${ERROR_CODES.join(', ')}` });
    return z.NEVER;
  });

/** Asks for the error log, newest first. `sinceMs` counts back from now. */
export const errorsInput = z.object({
  worker: workerName.optional(),
  code: errorCode.optional(),
  sinceMs: z.number().int().positive().optional(),
  /** Also those that are over: recovered, or of an incident that ended otherwise. */
  all: z.boolean(),
  limit: z.number().int().min(1).max(1_000),
});

/** Asks for a summary, of one worker or of all. `sinceMs` counts back from now. */
export const reportInput = z.object({ worker: workerName.optional(), sinceMs: z.number().int().positive() });

/** Asks for escalations, newest first: those that wait for an answer, or all. */
export const escalationsInput = z.object({
  worker: workerName.optional(),
  all: z.boolean(),
  limit: z.number().int().min(1).max(1_000),
});

/** An id, or enough of its beginning or end to be the only one. */
const someId = z
  .string()
  .max(36)
  .regex(/^[0-9a-f-]{4,36}$/i, "The id is the beginning or the end of an escalation's id, at least 4 characters")
  .transform((id) => id.toLowerCase());

/** Names one escalation. */
export const escalationInput = z.object({ id: someId });

/** An answer. `text` is for options that need words. */
export const resolveInput = z.object({
  orderId: uuid,
  id: someId,
  option: z.string().min(1).max(200),
  text: words('text').optional(),
});
