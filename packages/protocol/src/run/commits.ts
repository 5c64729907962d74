/** Queries of runs about commits: a machine keeps, joins, checks and merges them in the depot of the project. */
import { z } from 'zod';
import { line, objectName, text, uuid } from '../names.ts';

/** Run and request that ask: the answer goes back to them. */
const of = { run: uuid, request: line };

/** Commits that a join takes at most. */
const PARTS_MAX = 20;
/** Commits that a run takes over from another at most: of 12 stages, each with 20 parts. */
const ADOPTED_MAX = 241;
const parts = z
  .array(z.object({ item: line, commit: objectName }))
  .max(PARTS_MAX)
  .readonly();

/** Profiles of the agents that wrote the work: where one of them is isolated, so are its checks. */
const profiles = z.array(line).max(ADOPTED_MAX).readonly();

export const runQueries = [
  /** Keeps the newest commit of the default branch, on which the run begins, and commits of the run that it tries again. */
  z.object({ kind: z.literal('run-base'), ...of, also: z.array(objectName).max(ADOPTED_MAX).readonly().default([]) }),
  /**
   * Keeps a commit of the worker; null: whatever its worktree holds now. `isCarried`: the machine that has the run's commits brings it from
   * here next.
   */
  z.object({
    kind: z.literal('run-pin'),
    ...of,
    commit: objectName.nullable(),
    isCarried: z.boolean().default(false),
  }),
  /** Keeps commits of the run, and brings those that are missing from the depot of another machine. Answers with the first. */
  z.object({
    kind: z.literal('run-bring'),
    ...of,
    machine: uuid,
    commits: z
      .array(objectName)
      .min(1)
      .max(PARTS_MAX + 1)
      .readonly(),
  }),
  /** Builds the commits on one another, on `base`. */
  z.object({ kind: z.literal('run-join'), ...of, base: objectName, parts }),
  /**
   * Runs the checks of the worker settings on a commit. If they fail and the commit was joined of `parts` on `base`, the part that breaks them is
   * found by halving.
   */
  z.object({ kind: z.literal('run-check'), ...of, profiles, commit: objectName, base: objectName.nullable(), parts }),
  /**
   * Makes of the commit one commit on the newest default branch, runs the checks of the project on it, and publishes it as
   * the project says. */
  z.object({ kind: z.literal('run-land'), ...of, profiles, commit: objectName, began: objectName }),
  /** Lets go of all commits of a run. */
  z.object({ kind: z.literal('run-forget'), ...of }),
] as const;

export const runResults = [
  z.object({ kind: z.literal('run-pinned'), commit: objectName, tree: objectName }),
  z.object({ kind: z.literal('run-joined'), commit: objectName, tree: objectName }),
  /** `items` conflict with the others, in `files`; `commit`: the candidate without them. */
  z.object({
    kind: z.literal('run-conflict'),
    items: z.array(line).max(PARTS_MAX).readonly(),
    commit: objectName,
    tree: objectName,
    files: z.array(text).max(100).readonly(),
  }),
  /** `culprit`: the item that breaks the checks; null: they passed, or no single item is to blame. */
  z.object({ kind: z.literal('run-checked'), passed: z.boolean(), output: text, culprit: line.nullable() }),
  /** `commit`: in the default branch now, or handed over as a branch. `why`: words of the program that asks people to merge it. */
  z.object({
    kind: z.literal('run-landed'),
    commit: objectName,
    offered: z.object({ branch: line, why: text }).nullable(),
  }),
  z.object({ kind: z.literal('run-not-landed'), text }),
  z.object({ kind: z.literal('run-forgotten') }),
] as const;
