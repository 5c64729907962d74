/** The work queue in the public API. */
import { z } from 'zod';
import { queueAddInput, queueItemInput, queueItemView, queueListInput } from '../queue.ts';
import { defineV1, flag, listOf, ok, page, PROMPT_BODY_BYTES_MAX } from './route.ts';

const view = queueItemView.meta({ id: 'QueueItem' });
const params = z.strictObject(queueItemInput.shape);
const { limit } = page;

/** Under `/v1/queue`. */
export const queueRoutes = {
  'GET /v1/queue': defineV1({
    access: 'queue.list',
    summary: 'Lists the work that waits or is worked on, most urgent first.',
    query: z.strictObject({ limit, all: flag('Also what is done or dropped') }),
    answer: listOf(view),
    handle: async ({ fleet, actor, query }) => {
      const items = await fleet.listQueue(queueListInput.parse(query), actor);
      return ok({ items: [...items], next: null });
    },
  }),
  'POST /v1/queue': defineV1({
    access: 'queue.add',
    summary: 'Adds an item. The next idle worker takes the most urgent one.',
    body: z.strictObject({
      priority: queueAddInput.shape.priority,
      prompt: queueAddInput.shape.prompt,
      project: queueAddInput.shape.project.meta({ description: 'Its name. Needed where the token reaches several' }),
      role: queueAddInput.shape.role.meta({ description: 'Only a worker that has this role takes it' }),
    }),
    bytesMax: PROMPT_BODY_BYTES_MAX,
    answer: view,
    problems: ['not-found'],
    conflicts: ['queue-full', 'no-project'],
    handle: ({ fleet, actor, body, requestId }) => fleet.addToQueue({ orderId: requestId, ...body }, actor),
  }),
  'GET /v1/queue/{id}': defineV1({
    access: 'queue.show',
    summary: 'Shows one item.',
    params,
    answer: view,
    problems: ['not-found'],
    handle: ({ fleet, actor, params: { id } }) => fleet.queueItem({ id }, actor),
  }),
  'POST /v1/queue/{id}/drop': defineV1({
    access: 'queue.drop',
    summary: 'Takes an item that nobody works on out of the queue.',
    params,
    answer: view,
    problems: ['not-found', 'over'],
    conflicts: ['taken'],
    handle: ({ fleet, actor, params: { id } }) => fleet.dropQueueItem({ id }, actor),
  }),
  'POST /v1/queue/{id}/retry': defineV1({
    access: 'queue.retry',
    summary: 'Opens an item again that is over or waits for a person.',
    params,
    answer: view,
    problems: ['not-found'],
    conflicts: ['taken', 'filed-again'],
    handle: ({ fleet, actor, params: { id } }) => fleet.retryQueueItem({ id }, actor),
  }),
};
