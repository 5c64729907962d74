/** The work queue: what clients send and see, and the use cases. */
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { projectName } from './projects/projects.ts';
import { idPart, roleName, words } from './texts.ts';

const priority = z.enum(['S0', 'S1', 'S2', 'S3']);

/** Asks for items, most urgent first: those that wait or are worked on, or all. */
export const queueListInput = z.object({ all: z.boolean(), limit: z.number().int().min(1).max(1_000) });

/** A new item. It has the id of the request: when a client repeats the request after a lost answer, the item is added once. */
export const queueAddInput = z.object({
  requestId: uuid,
  project: projectName.optional(),
  /** Only a worker that has this role takes it. */
  role: roleName.optional(),
  priority,
  prompt: words('prompt'),
});

/** Names one item, by its id or by enough of its beginning or end to be the only one. */
export const queueItemInput = z.object({
  id: idPart('an item'),
});

/** One item of the work queue. Times are epoch milliseconds. */
export const queueItemView = z.object({
  id: uuid,
  project: z.string(),
  priority,
  title: z.string(),
  /** The prompt for the worker that takes it. */
  body: z.string(),
  class: z.string(),
  status: z.enum(['open', 'taken', 'done', 'dropped']),
  /** What an open item waits for: its finder is still at the task; a person. Null: the next idle worker takes it. */
  waitsFor: z.enum(['source', 'person']).nullable(),
  /** Why no worker can take an open item now, in words; null: one is about to, or it waits for something else. */
  nowhere: z.string().nullable(),
  /** The role that it asks for; null: any. */
  role: z.string().nullable(),
  /** Who works on it, or did last. */
  worker: z.string().nullable(),
  task: z.string().nullable(),
  /** The worker that found it; null when a person added it. */
  foundBy: z.string().nullable(),
  /** Who filed it, as in `eventView`. */
  by: z.string().nullable(),
  /** How many of its tasks failed. */
  failures: z.number().int(),
  /** How often the same was found. */
  occurrences: z.number().int(),
  createdAt: epochMs,
  updatedAt: epochMs,
});

/** A checked `queueItemView`. */
export type QueueItemView = z.infer<typeof queueItemView>;

/** The place of an item in the queue. */
export type QueuePlace = Pick<QueueItemView, 'priority' | 'createdAt' | 'id'>;

/** The use cases of the work queue: a part of `Fleet`. */
export interface QueueFleet {
  /** `after`: only what comes after this item in the list. */
  listQueue(
    input: z.infer<typeof queueListInput> & { readonly after?: QueuePlace | undefined },
    by: Actor,
  ): Promise<readonly QueueItemView[]>;
  addToQueue(input: z.infer<typeof queueAddInput>, by: Actor): Promise<Outcome<QueueItemView>>;
  queueItem(input: z.infer<typeof queueItemInput>, by: Actor): Promise<Outcome<QueueItemView>>;
  /** An open item is not taken any more. Refused for one that is worked on or over. */
  dropQueueItem(input: z.infer<typeof queueItemInput>, by: Actor): Promise<Outcome<QueueItemView>>;
  /** An item that waits for a person, was dropped or is done is open again, with a fresh count of failures. */
  retryQueueItem(input: z.infer<typeof queueItemInput>, by: Actor): Promise<Outcome<QueueItemView>>;
}
