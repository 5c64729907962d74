/** What happened, in the public API: as a stream of events, or page by page. */
import { z } from 'zod';
import { announcementView } from '../public/feed.ts';
import { defineV1 } from './route.ts';

const query = z.strictObject({
  after: z.string().min(1).max(30).optional().meta({ description: 'A cursor; without one: from now on' }),
  wait: z.coerce.number().min(0).max(25).optional().meta({
    description: 'Answer with JSON, at once if there is something, else after so many seconds. Absent: a stream',
  }),
  limit: z.coerce.number().int().min(1).max(500).default(100).meta({ description: 'At most so many, in JSON' }),
  types: z
    .string()
    .max(500)
    .transform((list) => list.split(',').map((type) => type.trim()))
    .optional()
    .meta({ description: 'Only these, separated by commas, such as escalation,worker.status' }),
});

/** `GET /v1/events`. */
export const eventRoutes = {
  'GET /v1/events': defineV1({
    access: 'events',
    summary: 'Tells what happens: as Server-Sent Events, or with "wait" as a long poll. Both go on after a cursor.',
    query,
    answer: z.object({
      items: z.array(announcementView.meta({ id: 'Event' })),
      next: z.string().meta({ description: 'The cursor to go on after, also where nothing came' }),
    }),
    problems: ['cursor-lost'],
    handle: ({ fleet, actor, query: { after, wait = 0, limit, types }, signal }) =>
      fleet.feed({ after, types, limit, waitMs: wait * 1_000 }, actor, signal),
    isStream: ({ wait }) => wait === undefined,
  }),
};
