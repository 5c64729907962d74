/** Events: those of one worker, and of all as pages or as a stream of Server-Sent Events. */
import type { Fleet } from '../fleet.ts';
import type { Actor } from '../people.ts';
import { announcementView, eventType } from '../public/events.ts';
import { defineV1 } from '../v1/route.ts';
import { eventsInput } from '../workers/workers.ts';
import { ok, query } from './define.ts';
import { z } from 'zod';

const follow = {
  after: z.string().min(1).max(30).optional().meta({ description: 'A cursor; without one: from now on' }),
  types: z
    .string()
    .max(500)
    .transform((list) => list.split(',').map((type) => type.trim()))
    .pipe(z.array(eventType))
    .optional()
    .meta({ description: 'Only these, separated by commas, such as escalation,worker.status' }),
};

/** Events of a page if the client's query gives no limit. */
const LIMIT = 100;

const event = announcementView.meta({ id: 'Event' });

const feedPage = z.object({
  items: z.array(event),
  next: z.string().meta({ description: 'The cursor to continue after, also if there were no events' }),
});

export const eventOperations = {
  events: query('viewer', 'worker', {
    input: eventsInput,
    handle: ({ fleet, actor, input, signal }) => fleet.events(input, actor, signal),
    v1: {
      'GET /v1/events': defineV1({
        summary: 'Returns the events after a cursor, at once or as a long poll.',
        query: z.strictObject({
          ...follow,
          wait: z.coerce.number().min(0).max(25).default(0).meta({
            description: 'Seconds to wait for something; 0: answer at once',
          }),
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(500)
            .default(LIMIT)
            .meta({ description: 'Maximum number of events' }),
        }),
        answer: feedPage,
        problems: ['cursor-lost'],
        handle: ({ fleet, actor, query, signal }) => page(fleet, query, { actor, signal }),
      }),
      'GET /v1/events/stream': defineV1({
        summary:
          'Streams events as Server-Sent Events: the type of each is that of its data, which is an Event. A reader that reconnects with Last-Event-ID continues there.',
        query: z.strictObject({
          ...follow,
          ticket: z.string().max(200).optional().meta({
            description:
              'In place of a token, for a browser, whose EventSource sends none: POST /v1/events/tickets gives one',
          }),
        }),
        answer: feedPage,
        stream: event,
        problems: ['cursor-lost'],
        // The stream asks for the pages after the first with `wait`.
        handle: ({ fleet, actor, query, signal }) =>
          page(fleet, { wait: 0, limit: LIMIT, ...query }, { actor, signal }),
      }),
      'POST /v1/events/tickets': defineV1({
        summary: 'Gives a ticket that opens one stream of events within a minute, while the token is valid.',
        answer: z.object({ ticket: z.string(), expiresAt: z.number().int() }),
        isSecret: true,
        handle: ({ fleet, actor }) => Promise.resolve(ok(fleet.eventTicket(actor))),
      }),
    },
  }),
};

interface Wanted {
  readonly after?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly limit: number;
  /** Seconds. */
  readonly wait: number;
}

function page(
  fleet: Fleet,
  { after, types, limit, wait }: Wanted,
  { actor, signal }: { readonly actor: Actor; readonly signal: AbortSignal },
) {
  return fleet.feed({ after, types, limit, waitMs: wait * 1_000 }, actor, signal);
}
