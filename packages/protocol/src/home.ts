/**
 * Lets a machine ask another one within a command, by way of the coordinator: for main where the repository is there, for the work of a worker
 * there, and for commits of a run that are there.
 */
import { z } from 'zod';
import { commitName, line, objectName, text, uuid } from './names.ts';
import { sha256, TIPS_MAX } from './parcel.ts';

const files = z.array(text).max(100_000).readonly();

/** Outcome of publishing on the machine that has the repository. */
const publishOutcome = z.discriminatedUnion('kind', [
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

/** Outcome of the checks on the machine that ran them for another one. */
const checksOutcome = z.discriminatedUnion('kind', [
  /** Result of passed checks. Without a tree they were asked for whatever files the commit has: main alone, when work on it fails. */
  z.object({ kind: z.literal('valid'), head: objectName, tree: objectName.or(z.literal('')), checks: line }),
  z.object({ kind: z.literal('invalid'), command: text, output: text }),
  z.object({ kind: z.literal('changed'), head: objectName, why: text }),
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
    /**
     * Runs the checks on the commit that the command names, on the machine that it names: this machine has sent it. Without a parcel it is a
     * commit of main. Without a `tree` it may have any files.
     */
    z.object({
      kind: z.literal('checks'),
      parcel: z.object({ sha256, bytes: z.number().int().positive() }).nullable(),
      commit: objectName,
      tree: objectName.nullable(),
    }),
    /** The commit that a worker's branch is at, for a train that the command builds; asked of the worker's machine. */
    z.object({
      kind: z.literal('work'),
      worker: line,
      commit: objectName,
      not: z.array(objectName).max(TIPS_MAX).readonly(),
      resend: z.boolean(),
    }),
    /** A commit of the run for which the command asks; asked of the machine that the command names. */
    z.object({
      kind: z.literal('run'),
      commit: objectName,
      not: z.array(objectName).max(TIPS_MAX).readonly(),
      resend: z.boolean(),
    }),
  ]),
});
/** A checked `homeRequest`. */
export type HomeRequest = z.infer<typeof homeRequest>;

/** Answer of the other machine, and which one it is; with status 202 there is nothing yet. */
export const homeAnswer = z.object({
  machine: uuid,
  name: line,
  maxBytes: z.number().int().positive(),
  result: z.unknown(),
});
/** A checked `homeAnswer`. */
export type HomeAnswer = z.infer<typeof homeAnswer>;

/** Queries to a machine for others: it has the repository, or the project has its merges checked there. */
export const homeQueries = [
  /** Reads main in the repository that is on this machine. */
  z.object({ kind: z.literal('read-main') }),
  /** Downloads the parcel of a machine and moves main from `base` to its commit, with all care for files of people. */
  z.object({
    kind: z.literal('publish-for'),
    from: uuid,
    sha256,
    bytes: z.number().int().positive(),
    worker: line,
    base: objectName,
    commit: objectName,
  }),
  /** Downloads the content of a file that Git LFS keeps, and puts it where the repository on this machine keeps such content. */
  z.object({ kind: z.literal('keep-content'), from: uuid, sha256, bytes: z.number().int().positive() }),
  /** Finishes a publication that was cut off after it had moved main. */
  z.object({ kind: z.literal('settle-main') }),
  /** Downloads the parcel of a machine, if there is one, and runs the project's checks on its commit. */
  z.object({
    kind: z.literal('check-for'),
    from: uuid,
    sha256: sha256.nullable(),
    bytes: z.number().int().nonnegative(),
    commit: objectName,
    tree: objectName.nullable(),
  }),
] as const;

/** Results of these queries. */
export const homeResults = [
  z.object({
    kind: z.literal('main'),
    commit: objectName,
    format: z.enum(['sha1', 'sha256']),
    /** The author of commits there, by the settings of git. */
    identity: z.object({ name: line.optional(), email: line.optional() }).optional(),
  }),
  z.object({ kind: z.literal('publish-ended'), outcome: publishOutcome }),
  z.object({ kind: z.literal('content-kept') }),
  z.object({ kind: z.literal('checks-ended'), outcome: checksOutcome }),
  z.object({ kind: z.literal('settled') }),
] as const;
