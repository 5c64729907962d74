/** The identifiers that cross wires, as schemas. */
import { z } from 'zod';

/** An id: of a machine, a worker, a project, a command, an order or an agent's buffer. */
export const uuid = z.uuid();
/** Epoch milliseconds. */
export const epochMs = z.number().int().nonnegative();
/** A git object name. */
export const commitName = z.string().regex(/^[0-9a-f]{7,64}$/, 'expected a git object name in hexadecimal');
/** Largest prompt or message, in bytes of UTF-8: more than any agent's composer takes, less than a wire message. */
export const PROMPT_BYTES_MAX = 1_048_576;
/** Largest single message between agent and coordinator, in bytes. Source: docs/architecture.md, limits. */
export const MESSAGE_BYTES_MAX = 1_048_576 * 4;
