/** What went wrong, and what is kept, in the public API: errors, reports, checkpoints. */
import { z } from 'zod';
import { checkpointDetailView, checkpointInput, checkpointView, createCheckpointInput } from '../checkpoints.ts';
import { errorsInput, errorView, reportView } from '../incidents.ts';
import type { ListPlace } from '../outcome.ts';
import { workerName } from '../texts.ts';
import { defineV1, flag, listOf, newestFirstCursor, ok, page, pageUpTo, sinceMs } from './route.ts';

const worker = workerName.optional();
const checkpoint = checkpointView.meta({ id: 'Checkpoint' });

function cursorOf({ at, id }: ListPlace): string {
  return `${at}.${id}`;
}

/** Under `/v1/errors`, `/v1/report` and `/v1/checkpoints`. */
export const historyRoutes = {
  'GET /v1/errors': defineV1({
    access: 'errors',
    summary: 'Lists what went wrong and is not over, newest first.',
    query: z.strictObject({
      ...page,
      worker,
      code: errorsInput.shape.code,
      sinceMs: sinceMs.optional(),
      all: flag('Also what is over'),
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
  'GET /v1/report': defineV1({
    access: 'report',
    summary: 'Sums up what went wrong and how it went on, of one worker or of all.',
    query: z.strictObject({ worker, sinceMs: sinceMs.default(86_400_000) }),
    answer: reportView.meta({ id: 'Report' }),
    problems: ['not-found'],
    handle: ({ fleet, actor, query }) => fleet.report(query, actor),
  }),
  'GET /v1/checkpoints': defineV1({
    access: 'checkpoints.list',
    summary: 'Lists checkpoints, newest first.',
    query: z.strictObject({ ...page, worker }),
    answer: listOf(checkpoint),
    problems: ['not-found', 'cursor-lost'],
    handle: async ({ fleet, actor, query: { after, limit, worker: of } }) => {
      const cursor = newestFirstCursor(after);
      if (cursor.kind === 'refused') return cursor;
      const outcome = await fleet.listCheckpoints({ worker: of, limit: limit + 1, after: cursor.place }, actor);
      return outcome.kind === 'ok' ? ok(pageUpTo(outcome.value, limit, cursorOf)) : outcome;
    },
  }),
  'POST /v1/checkpoints': defineV1({
    access: 'checkpoints.create',
    summary: 'Keeps the work of a worker as it is now, and answers when it is kept.',
    body: z.strictObject({ worker: workerName, why: createCheckpointInput.shape.why }),
    answer: checkpoint,
    problems: ['not-found'],
    conflicts: ['machine', 'no-worktree', 'offline', 'accepting', 'not-yet', 'which-worker'],
    handle: ({ fleet, actor, body, requestId }) => fleet.createCheckpoint({ orderId: requestId, ...body }, actor),
  }),
  'POST /v1/checkpoints/{id}/look': defineV1({
    access: 'checkpoints.show',
    summary: 'Asks the machine of a checkpoint whether it is whole and what it holds. It changes nothing.',
    params: z.strictObject(checkpointInput.shape),
    answer: checkpointDetailView.meta({ id: 'CheckpointDetail' }),
    problems: ['not-found'],
    conflicts: ['machine', 'no-answer'],
    handle: ({ fleet, actor, params: { id } }) => fleet.checkpoint({ id }, actor),
  }),
};
