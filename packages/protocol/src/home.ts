/**
 * How a machine asks another one within a command, by way of the coordinator: for main where the repository is there, and for the work of
 * a worker there.
 */
import { z } from 'zod';
import { commitName, line, objectName, text, uuid } from './names.ts';
import { sha256, TIPS_MAX } from './parcel.ts';

const files = z.array(text).max(100_000).readonly();

/** What publishing came to on the machine that has the repository. */
export const publishOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('published'),
    checkout: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('none') }),
      z.object({ kind: z.literal('updated') }),
      z.object({ kind: z.literal('left'), path: text, files }),
    ]),
  }),
  z.object({ kind: z.literal('moved'), now: commitName.nullable() }),
  z.object({ kind: z.literal('blocked'), path: text, files }),
  z.object({ kind: z.literal('refused'), words: text }),
  /** The parcel builds on commits that are not there. */
  z.object({ kind: z.literal('incomplete') }),
]);

/** `POST /agent/home`: asked within a command, and with the same `id` until there is an answer. */
export const homeRequest = z.object({
  /** The unfinished command of this machine for which it asks. */
  command: uuid,
  id: uuid,
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('main') }),
    z.object({
      kind: z.literal('fetch'),
      commit: objectName,
      not: z.array(objectName).max(TIPS_MAX).readonly(),
      resend: z.boolean(),
    }),
    z.object({
      kind: z.literal('publish'),
      sha256,
      bytes: z.number().int().positive(),
      base: objectName,
      commit: objectName,
    }),
    /** Keeps the content of a file that Git LFS keeps, of the work that the command publishes: this machine has sent it. */
    z.object({ kind: z.literal('content'), sha256, bytes: z.number().int().positive() }),
    z.object({ kind: z.literal('settle') }),
    /** The commit that a worker's branch is at, for a train that the command builds; asked of the worker's machine. */
    z.object({
      kind: z.literal('work'),
      worker: line,
      commit: objectName,
      not: z.array(objectName).max(TIPS_MAX).readonly(),
      resend: z.boolean(),
    }),
  ]),
});
/** A checked `homeRequest`. */
export type HomeRequest = z.infer<typeof homeRequest>;

/** What the other machine answered, and which one it is; with status 202 there is nothing yet. */
export const homeAnswer = z.object({
  machine: uuid,
  name: line,
  maxBytes: z.number().int().positive(),
  result: z.unknown(),
});
/** A checked `homeAnswer`. */
export type HomeAnswer = z.infer<typeof homeAnswer>;
