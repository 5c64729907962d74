/** Operations on the work queue. */
import { queueAddInput, queueItemInput, queueItemView, queueListInput } from '../queue.ts';
import type { QueuePlace } from '../queue.ts';
import { PROMPT_BODY_BYTES_MAX, cursorBy, defineV1, flag, listOf, page, pageUpTo } from '../v1/route.ts';
import type { Cursor } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

const view = queueItemView.meta({ id: 'QueueItem' });
const params = z.strictObject(queueItemInput.shape);

const PLACE = /^(?<priority>S[0-3])\.(?<at>\d{1,15})\.(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u;

/** Parses a cursor of the queue, which is sorted by urgency, then by time. */
function queueCursor(after: string | undefined): Cursor<QueuePlace> {
  return cursorBy(after, PLACE, ({ priority, at, id = '' }) => ({
    priority: priority as QueuePlace['priority'],
    createdAt: Number(at),
    id,
  }));
}

export const queueOperations = {
  'queue.list': query('viewer', 'project', {
    input: queueListInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.listQueue(input, actor)),
    v1: {
      'GET /v1/queue': defineV1({
        summary: 'Lists the work that waits or is worked on, most urgent first.',
        query: z.strictObject({ ...page, all: flag('Also finished and dropped items') }),
        answer: listOf(view),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { after, limit, all } }) => {
          const cursor = queueCursor(after);
          if (cursor.kind === 'refused') return cursor;
          const listed = await fleet.listQueue({ all, limit: limit + 1, after: cursor.place }, actor);
          return ok(pageUpTo(listed, limit, ({ priority, createdAt, id }) => `${priority}.${createdAt}.${id}`));
        },
      }),
    },
  }),
  'queue.add': mutation('operator', 'project', {
    input: queueAddInput,
    handle: ({ fleet, actor, input }) => fleet.addToQueue(input, actor),
    v1: {
      'POST /v1/queue': defineV1({
        summary: 'Adds an item. The next idle worker takes the most urgent one.',
        body: z.strictObject({
          priority: queueAddInput.shape.priority,
          prompt: queueAddInput.shape.prompt,
          project: queueAddInput.shape.project.meta({
            description: 'Its name. Needed where the token reaches several',
          }),
          role: queueAddInput.shape.role.meta({ description: 'Only a worker that has this role takes it' }),
        }),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: view,
        problems: ['not-found'],
        conflicts: ['queue-full', 'no-project'],
      }),
    },
  }),
  'queue.show': query('viewer', 'project', {
    input: queueItemInput,
    handle: ({ fleet, actor, input }) => fleet.queueItem(input, actor),
    v1: {
      'GET /v1/queue/{id}': defineV1({
        summary: 'Shows one item.',
        params,
        answer: view,
        problems: ['not-found'],
      }),
    },
  }),
  'queue.drop': mutation('operator', 'project', {
    input: queueItemInput,
    handle: ({ fleet, actor, input }) => fleet.dropQueueItem(input, actor),
    v1: {
      'POST /v1/queue/{id}/drop': defineV1({
        summary: 'Removes an item that no worker has taken from the queue.',
        params,
        answer: view,
        problems: ['not-found', 'over'],
        conflicts: ['taken'],
      }),
    },
  }),
  'queue.retry': mutation('operator', 'project', {
    input: queueItemInput,
    handle: ({ fleet, actor, input }) => fleet.retryQueueItem(input, actor),
    v1: {
      'POST /v1/queue/{id}/retry': defineV1({
        summary: 'Opens an item again that has ended or waits for a person.',
        params,
        answer: view,
        problems: ['not-found'],
        conflicts: ['taken', 'filed-again'],
      }),
    },
  }),
};
