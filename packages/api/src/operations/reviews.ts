/** Operations on finished work: review, accept, reject. */
import {
  acceptInput,
  acceptTogetherInput,
  awaitAcceptInput,
  cancelInput,
  cancelView,
  rebaseInput,
  rejectInput,
  reviewInput,
  reviewView,
} from '../tasks.ts';
import { PROMPT_BODY_BYTES_MAX, defineV1 } from '../v1/route.ts';
import { messageInput } from '../workers/workers.ts';
import { mutation, query } from './define.ts';
import { worker, workerOf, workerParam } from './workers.ts';
import { z } from 'zod';

export const reviewOperations = {
  'workers.cancel': mutation('operator', 'project', {
    input: cancelInput,
    handle: ({ fleet, actor, input }) => fleet.cancel(input, actor),
    v1: {
      'POST /v1/workers/{name}/cancel': defineV1({
        summary: 'Cancels the task of a worker: its agent stops, and Drover keeps its work.',
        params: workerParam,
        answer: cancelView.extend({ worker: worker.nullable() }).meta({ id: 'Cancelled' }),
        problems: ['not-found', 'key-reused'],
        conflicts: ['no-task', 'in-review', 'accepting', 'leaving', 'moving', 'another-task'],
      }),
    },
  }),
  'workers.review': mutation('viewer', 'project', {
    input: reviewInput,
    handle: ({ fleet, actor, input }) => fleet.review(input, actor),
    v1: {
      'POST /v1/workers/{name}/review': defineV1({
        summary: 'Shows the work of a worker with its diff, and notes that the caller has seen this commit.',
        params: workerParam,
        body: z.strictObject({ stat: z.boolean().default(false).meta({ description: 'Only the list of its files' }) }),
        answer: reviewView.meta({ id: 'Review' }),
        problems: ['not-found'],
        conflicts: ['nothing-to-review', 'machine', 'no-answer'],
      }),
    },
  }),
  'workers.reject': mutation('operator', 'project', {
    input: rejectInput,
    handle: ({ fleet, actor, input }) => fleet.reject(input, actor),
    v1: {
      'POST /v1/workers/{name}/reject': defineV1({
        summary: 'Sends the work back to its agent with feedback.',
        params: workerParam,
        body: z.strictObject({ text: messageInput.shape.text }),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: worker,
        problems: ['not-found', 'key-reused'],
        conflicts: ['not-in-review', 'accepting', 'offline', 'machine'],
        handle: async ({ fleet, actor, params, body, requestId }) =>
          workerOf(await fleet.reject(rejectInput.parse({ requestId, name: params.name, text: body.text }), actor)),
      }),
    },
  }),
  'workers.accept': mutation('operator', 'project', {
    input: acceptInput,
    handle: ({ fleet, actor, input }) => fleet.accept(input, actor),
    v1: {
      'POST /v1/workers/{name}/accept': defineV1({
        summary: 'Asks for the merge of the commit that was reviewed.',
        params: workerParam,
        body: z.strictObject({
          head: acceptInput.shape.head.unwrap().meta({ description: 'The commit that the person reviewed' }),
        }),
        answer: worker,
        problems: ['not-found', 'key-reused'],
        conflicts: ['not-in-review', 'accepting', 'offline', 'machine'],
        handle: async ({ fleet, actor, params, body, requestId }) =>
          workerOf(await fleet.accept({ requestId, name: params.name, head: body.head }, actor)),
      }),
    },
  }),
  'workers.acceptTogether': mutation('operator', 'project', {
    input: acceptTogetherInput,
    handle: ({ fleet, actor, input }) => fleet.acceptTogether(input, actor),
  }),
  'workers.awaitAccept': query('viewer', 'project', {
    input: awaitAcceptInput,
    handle: ({ fleet, actor, input, signal }) => fleet.awaitAccept(input, actor, signal),
  }),
  'workers.rebase': mutation('operator', 'project', {
    input: rebaseInput,
    handle: ({ fleet, actor, input }) => fleet.rebase(input, actor),
  }),
};
