/** The identifiers that cross wires, as schemas, and how long whatever crosses them may be. */
import { shownNameProblem } from '@drover/core/hidden-characters';
import { z } from 'zod';

/** An id: of a machine, a worker, a project, a command or an agent's buffer. */
export const uuid = z.uuid();
/**
 * A name that people read: of a machine, a project, a token. No controls and nothing invisible, so that two names that
 * look alike are alike. `what` is named in the refusal, such as "a machine".
 */
export function shownName(what: string): z.ZodType<string> {
  return z
    .string()
    .max(NAME_MAX)
    .superRefine((name, ctx) => {
      const problem = shownNameProblem(what, name);
      if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
    });
}
/** Characters of a name: far more than one has. */
export const NAME_MAX = 1_000;
/** Epoch milliseconds. */
export const epochMs = z.number().int().nonnegative();
/** An Ed25519 public key as its 32 bytes in base64url: who a coordinator is (docs/adr/0022). */
export const coordinatorIdentity = z
  .string()
  .max(43)
  .regex(/^[A-Za-z0-9_-]{43}$/, 'expected the identity of a coordinator');
/** The address of a coordinator as a machine dials it. */
export const dialledUrl = z.string().min(1).max(2_000);
/** A signature, or an Ed25519 public key in SPKI DER; base64. */
export const base64 = z.string().max(200);
/** A git object name. */
export const commitName = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{7,64}$/, 'expected a git object name in hexadecimal');
/** Full names alone: a shorter one may come to mean another commit. */
export const objectName = z
  .string()
  .max(64)
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u, 'Expected the full name of a commit or tree');
/** Largest prompt or message, in bytes of UTF-8: more than any agent's composer takes, less than a wire message. */
export const PROMPT_BYTES_MAX = 1_048_576;
/** Largest single message between agent and coordinator, in bytes. Source: docs/mechanics.md, limits. */
export const MESSAGE_BYTES_MAX = 1_048_576 * 4;
/**
 * A word of machines, such as an id, a commit, a fingerprint or a path: the longest path of an operating system, four times. All of
 * these limits are generous, for what is longer is not read, and a machine must never be locked out by what it honestly has.
 */
export const line = z.string().max(16_384);
/** Words of people and programs, such as a prompt, a screen or what a command printed: as many as a message may hold. */
export const text = z.string().max(MESSAGE_BYTES_MAX);
/** Entries of a list that has no closer limit: files in conflict, changed files, workers. */
export const LIST_MAX = 100_000;
