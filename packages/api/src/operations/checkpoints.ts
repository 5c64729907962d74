/** Operations on checkpoints. */
import {
  checkpointDetailView,
  checkpointInput,
  checkpointView,
  checkpointsInput,
  createCheckpointInput,
  recoverInput,
  recoveryInput,
} from '../checkpoints.ts';
import { workerName } from '../texts.ts';
import { defineV1, listOf, newestFirstCursor, page, pageUpTo, cursorOf } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

const worker = workerName.optional();
const checkpoint = checkpointView.meta({ id: 'Checkpoint' });

export const checkpointOperations = {
  'checkpoints.list': query('viewer', 'project', {
    input: checkpointsInput,
    handle: ({ fleet, actor, input }) => fleet.listCheckpoints(input, actor),
    v1: {
      'GET /v1/checkpoints': defineV1({
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
    },
  }),
  'checkpoints.create': mutation('operator', 'project', {
    input: createCheckpointInput,
    handle: ({ fleet, actor, input }) => fleet.createCheckpoint(input, actor),
    v1: {
      'POST /v1/checkpoints': defineV1({
        summary: 'Saves a checkpoint of the work of a worker, and answers when it is saved.',
        body: z.strictObject({ worker: workerName, why: createCheckpointInput.shape.why }),
        answer: checkpoint,
        problems: ['not-found'],
        conflicts: ['machine', 'no-worktree', 'offline', 'accepting', 'not-yet', 'which-worker'],
      }),
    },
  }),
  // Mutation, because it asks a machine.
  'checkpoints.show': mutation('viewer', 'project', {
    input: checkpointInput,
    handle: ({ fleet, actor, input }) => fleet.checkpoint(input, actor),
    v1: {
      'POST /v1/checkpoints/{id}/check': defineV1({
        summary: 'Asks the machine of a checkpoint whether it is whole and what it holds. It changes nothing.',
        params: z.strictObject(checkpointInput.shape),
        answer: checkpointDetailView.meta({ id: 'CheckpointDetail' }),
        problems: ['not-found'],
        conflicts: ['machine', 'no-answer'],
      }),
    },
  }),
  'checkpoints.recover': mutation('operator', 'project', {
    input: recoverInput,
    handle: ({ fleet, actor, input }) => fleet.recover(input, actor),
  }),
  'checkpoints.recovery': query('viewer', 'project', {
    input: recoveryInput,
    handle: ({ fleet, actor, input }) => fleet.recovery(input, actor),
  }),
};
