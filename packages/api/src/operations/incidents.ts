/** Operations on errors and reports. */
import { errorInput, errorView, errorsInput, reportInput, reportView } from '../incidents.ts';
import { workerName } from '../texts.ts';
import { defineV1, flag, listOf, newestFirstCursor, page, pageUpTo, sinceMs, cursorOf } from '../v1/route.ts';
import { ok, query } from './define.ts';
import { z } from 'zod';

const worker = workerName.optional();

export const incidentOperations = {
  errors: query('viewer', 'project', {
    input: errorsInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.listErrors(input, actor)),
    v1: {
      'GET /v1/errors': defineV1({
        summary: 'Lists open errors, newest first.',
        query: z.strictObject({
          ...page,
          worker,
          code: errorsInput.shape.code,
          sinceMs: sinceMs.optional(),
          all: flag('Also errors that have ended'),
        }),
        answer: listOf(errorView.meta({ id: 'Error' })),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { after, limit, ...which } }) => {
          const cursor = newestFirstCursor(after);
          if (cursor.kind === 'refused') return cursor;
          const listed = await fleet.listErrors({ ...which, limit: limit + 1, after: cursor.place }, actor);
          return ok(pageUpTo(listed, limit, cursorOf));
        },
      }),
    },
  }),
  error: query('viewer', 'project', {
    input: errorInput,
    handle: ({ fleet, actor, input }) => fleet.error(input, actor),
  }),
  report: query('viewer', 'project', {
    input: reportInput,
    handle: ({ fleet, actor, input }) => fleet.report(input, actor),
    v1: {
      'GET /v1/report': defineV1({
        summary: 'Summarizes errors, recoveries and cost, of one worker or of all.',
        query: z.strictObject({ worker, sinceMs: sinceMs.default(86_400_000) }),
        answer: reportView.meta({ id: 'Report' }),
        problems: ['not-found'],
      }),
    },
  }),
};
