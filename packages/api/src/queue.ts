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

/** A new item with the id of the request: if a client repeats the request after a lost answer, the item is added once. */
export const queueAddInput = z.object({
  requestId: uuid,
  project: projectName.optional(),
  /** Role that a worker needs to take the item. */
  role: roleName.optional(),
  priority,
  prompt: words('prompt'),
});

/** Names an item by its id, or by enough of the id's beginning or end to be unique. */
export const queueItemInput = z.object({
  id: idPart('an item'),
});

/** An item of the work queue. Times are epoch milliseconds. */
export const queueItemView = z.object({
  id: uuid,
  project: z.string(),
  priority,
  title: z.string(),
  /** The prompt for the worker that takes it. */
  body: z.string(),
  class: z.string(),
  status: z.enum(['open', 'taken', 'done', 'dropped']),
  /** The blocker of an open item: its finder is still at the task; a person. Null: the next idle worker takes the item. */
  waitsFor: z.enum(['source', 'person']).nullable(),
  /** Reason why no worker can take an open item now, in words; null: a worker is about to, or the item waits for something else. */
  nowhere: z.string().nullable(),
  /** The role that a worker needs; null: any. */
  role: z.string().nullable(),
  /** The present worker of the item, or the last one. */
  worker: z.string().nullable(),
  task: z.string().nullable(),
  /** The worker that found the item; null if a person added it. */
  foundBy: z.string().nullable(),
  /** The actor that filed the item, as in `eventView`. */
  by: z.string().nullable(),
  /** Number of the item's tasks that failed. */
  failures: z.number().int(),
  /** Number of times that the same was found. */
  occurrences: z.number().int(),
  createdAt: epochMs,
  updatedAt: epochMs,
});

export type QueueItemView = z.infer<typeof queueItemView>;

/** The place of an item in the queue. */
export type QueuePlace = Pick<QueueItemView, 'priority' | 'createdAt' | 'id'>;

/** The use cases of the work queue: a part of `Fleet`. */
export interface QueueFleet {
  /** Lists items; with `after`, only items that follow this item in the list. */
  listQueue(
    input: z.infer<typeof queueListInput> & { readonly after?: QueuePlace | undefined },
    by: Actor,
  ): Promise<readonly QueueItemView[]>;
  addToQueue(input: z.infer<typeof queueAddInput>, by: Actor): Promise<Outcome<QueueItemView>>;
  queueItem(input: z.infer<typeof queueItemInput>, by: Actor): Promise<Outcome<QueueItemView>>;
  /** Withdraws an open item. Refuses for an item that is worked on or over. */
  dropQueueItem(input: z.infer<typeof queueItemInput>, by: Actor): Promise<Outcome<QueueItemView>>;
  /** Reopens an item that waits for a person, was dropped or is done, with a fresh count of failures. */
  retryQueueItem(input: z.infer<typeof queueItemInput>, by: Actor): Promise<Outcome<QueueItemView>>;
}
