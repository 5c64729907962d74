/** Tasks, from their start to the merge: what clients send and see, and the use cases. */
import { epochMs, reviewNotes, standing, uuid } from '@drover/protocol';
import type { ReviewSides } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { projectName } from './projects/projects.ts';
import { idPart, roleName, words, workerRef } from './texts.ts';
import { workerView, workView } from './workers/workers.ts';
import type { RequestView } from './workers/workers.ts';

/** Gives a task. Without a name the pool's best idle worker takes it. */
export const startInput = z.object({
  requestId: uuid,
  name: workerRef.optional(),
  project: projectName.optional(),
  /** Role that the worker needs; not with a name. */
  role: roleName.optional(),
  prompt: words('prompt'),
  /** Existing work for the start: a branch, `#12`, or the address of a pull request. Absent: the newest default branch. */
  from: z.string().trim().min(1, 'The start of a task is empty').max(500).optional(),
});

/**
 * Asks for the work of a worker; without a name, of the worker that waits longest for review. `stat`: the diff is the
 * list of its files. `sides`: each file comes whole, before and after.
 */
export const reviewInput = z.object({
  name: workerRef.optional(),
  stat: z.boolean().optional(),
  sides: z.boolean().optional(),
});

/** Maximum number of comments of one rejection: more than a person writes, or an agent keeps in mind. */
const COMMENTS_MAX = 500;

/** A comment on a line of the diff that the caller reviewed last of this worker: its number in the file after the work, or before it. */
export const lineComment = z.object({
  path: z.string().max(16_384, 'The path of a comment has at most 16384 characters'),
  line: z.number().int().min(1, 'The lines of a file are counted from 1'),
  side: z.enum(['before', 'after']),
  /** First of several lines, of which `line` is the last. */
  from: z.number().int().min(1, 'The lines of a file are counted from 1').optional(),
  text: words('comment'),
});

/**
 * Sends work back with feedback, as one text to its agent: words, comments on lines, or both. Without a name, the work
 * of the worker that the caller reviewed last.
 */
export const rejectInput = z
  .object({
    requestId: uuid,
    name: workerRef.optional(),
    text: words('feedback').optional(),
    comments: z
      .array(lineComment)
      .max(COMMENTS_MAX, `One rejection may have at most ${COMMENTS_MAX} comments`)
      .optional(),
  })
  .refine(
    ({ text, comments = [] }) => text !== undefined || comments.length > 0,
    'The feedback is empty: write what the agent must do',
  );

/** A commit as people name it. */
const commit = z
  .string()
  .max(64, 'The name of a commit has at most 64 characters')
  .transform((name) => name.toLowerCase())
  .refine(
    (name) => /^[0-9a-f]{7,64}$/u.test(name),
    'Expected the name of a commit, or at least its first 7 characters, such as 1a2b3c4',
  );

/**
 * Asks for the merge of the work that the caller has seen; without a name, of the worker that the caller reviewed last.
 * `head`: the commit that the caller saw, if it is not the commit that the caller reviewed last here. `nothing`: the
 * task ends also if nothing would be merged.
 */
export const acceptInput = z.object({
  requestId: uuid,
  name: workerRef.optional(),
  head: commit.optional(),
  nothing: z.boolean().optional(),
});

/** Maximum number of workers whose work one request accepts. */
const TOGETHER_MAX = 200;

/**
 * Asks for the merge of the work of several workers together, each at the commit that the caller has seen. Accepts all
 * work in one transaction, so that a train takes as much work along as the train can. A refused worker does not hold up
 * the others; if all workers are refused, the request is refused.
 */
export const acceptTogetherInput = z.object({
  items: z
    .array(z.object({ requestId: uuid, name: workerRef, head: commit.optional() }))
    .min(1)
    .max(TOGETHER_MAX, `Accept at most ${TOGETHER_MAX} workers at once`),
  nothing: z.boolean().optional(),
});

/** Outcomes by worker, in the order of the request. */
export const acceptedTogether = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('accepted'), worker: workerView }),
    z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
  ]),
);

export type AcceptedTogether = z.infer<typeof acceptedTogether>;

/**
 * Asks for the outcome of an accept, by the id of its request. The answer waits for the end of the accept; `after`:
 * only for lines of history after this one. The answer comes at once if something other than `heldUp`, which the caller
 * knows, holds the merge up.
 */
export const awaitAcceptInput = z.object({
  requestId: uuid,
  after: z.number().int().nonnegative().optional(),
  heldUp: z.string().max(10_000).nullable(),
  waitMs: z.number().int().min(0).max(25_000),
});

/** The end of an accept, independent of its worker's present state, or its progress. */
export const acceptFate = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ended'),
    how: z.enum(['merged', 'offered', 'stopped']),
    why: z.string(),
    worker: workerView,
  }),
  /** `after` is the line to continue from. */
  z.object({ kind: z.literal('waits'), after: z.number(), worker: workerView }),
]);

export type AcceptFate = z.infer<typeof acceptFate>;

/**
 * Rebases work that waits for review onto the newest default branch, in its worktree; without a name, the work of the
 * worker that the caller reviewed last.
 */
export const rebaseInput = z.object({ requestId: uuid, name: workerRef.optional() });

/**
 * The work of a worker against the default branch: its commits, and the difference that its merge makes. A difference
 * longer than 512 KiB is cut and marked as cut.
 */
export const reviewView = z.object({
  worker: workerView,
  base: z.string(),
  /** The shown commit and its tree: an accept by the same caller merges these. */
  head: z.string(),
  tree: z.string(),
  /** A commit under the work that the default branch no longer holds: nothing is merged before a rebase. */
  dropped: z.string().nullable(),
  commits: z.array(z.object({ commit: z.string(), subject: z.string(), author: z.string() })),
  diff: z.string(),
  /** Notes for the reviewer beside the diff; null for a note that is newer than this build. */
  notes: reviewNotes,
  standing,
  /** The result of the project's checks, and the commit of the merge; null while nothing is known. */
  work: workView.nullable(),
});

/** `reviewView`, with both sides of the files if the caller asked for them. */
export type ReviewView = z.infer<typeof reviewView> & { readonly sides?: ReviewSides };

/** A task. `status` is that of the worker while a worker has the task; `accepted`, `ended`, `failed` and `cancelled` are ends of the task. */
export const taskView = z.object({
  id: uuid,
  project: z.string(),
  worker: z.string(),
  prompt: z.string(),
  status: z.string(),
  /** The giver of the task, as in `eventView`. */
  by: z.string().nullable(),
  createdAt: epochMs,
});

export type TaskView = z.infer<typeof taskView>;

/** Asks for tasks, newest first. */
export interface TaskPageInput {
  readonly worker: string | undefined;
  readonly status: string | undefined;
  /** Place after which the page begins. */
  readonly after: { readonly at: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** Cancels the task of a worker, or a task by its id: one that a worker has, or one in the work queue. */
export const cancelInput = z.object({
  requestId: uuid,
  name: z.union([workerRef, idPart('a task')]),
});

/** The end of a cancelled task. */
export const cancelView = z.object({
  task: uuid,
  title: z.string(),
  /** True if a person had cancelled the task before: nothing was done now. */
  again: z.boolean(),
  /** The person who cancelled the task first, and the time in epoch milliseconds; null: the work queue does not say. */
  by: z.string().nullable(),
  at: epochMs,
  /** The worker that had the task; null: the task waited in the work queue, and is out of it. */
  worker: workerView.nullable(),
  /** The checkpoint that keeps the task's files, once its agent has stopped; null: no worker had the task. */
  checkpoint: uuid.nullable(),
});

export type CancelView = z.infer<typeof cancelView>;

/** The use cases of tasks. */
export interface TaskFleet {
  listTasks(page: TaskPageInput, by: Actor): Promise<readonly TaskView[]>;
  start(input: z.infer<typeof startInput>, by: Actor): Promise<Outcome<RequestView>>;
  review(input: z.infer<typeof reviewInput>, by: Actor): Promise<Outcome<ReviewView>>;
  reject(input: z.infer<typeof rejectInput>, by: Actor): Promise<Outcome<RequestView>>;
  accept(input: z.infer<typeof acceptInput>, by: Actor): Promise<Outcome<RequestView>>;
  acceptTogether(input: z.infer<typeof acceptTogetherInput>, by: Actor): Promise<Outcome<AcceptedTogether>>;
  awaitAccept(
    input: z.infer<typeof awaitAcceptInput>,
    by: Actor,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<AcceptFate>>;
  rebase(input: z.infer<typeof rebaseInput>, by: Actor): Promise<Outcome<RequestView>>;
  cancel(input: z.infer<typeof cancelInput>, by: Actor): Promise<Outcome<CancelView>>;
}
