/** Operations on workers. */
import type { Outcome } from '../outcome.ts';
import { editWorkerInput, workerSettingsInput } from '../settings/settings.ts';
import { workerName } from '../texts.ts';
import { PROMPT_BODY_BYTES_MAX, defineV1, listOf, page, pageOf } from '../v1/route.ts';
import { conversationInput, conversationView, paneInput } from '../workers/shown.ts';
import {
  addInput,
  cancelMoveInput,
  messageInput,
  moveInput,
  nukeInput,
  screenInput,
  whyInput,
  whyView,
  workerView,
} from '../workers/workers.ts';
import type { RequestView, WorkerView } from '../workers/workers.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

/** Schema of a worker in the public API. */
export const worker = workerView.meta({ id: 'Worker' });
/** The worker that a path names. */
export const workerParam = z.strictObject({ name: workerName });

/** Operations on workers, beside those of tasks and reviews. */
export const workerOperations = {
  'workers.list': query('viewer', 'worker', {
    tools: { worker_list: { about: 'Lists the workers with their state.', serves: 'person' } },
    handle: async ({ fleet, actor }) => ok(await fleet.listWorkers(actor)),
    v1: {
      'GET /v1/workers': defineV1({
        summary: 'Lists the workers.',
        query: z.strictObject(page),
        answer: listOf(worker),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: asked }) =>
          pageOf(await fleet.listWorkers(actor), { limit: asked.limit, after: asked.after, key: ({ id }) => id }),
      }),
    },
  }),
  'workers.why': query('viewer', 'worker', {
    input: whyInput,
    tools: {
      worker_show: {
        about: 'Shows a worker: its last decision, what follows, and what a person can do.',
        serves: 'person',
        given: { limit: 20 },
      },
    },
    handle: ({ fleet, actor, input }) => fleet.why(input, actor),
    v1: {
      'GET /v1/workers/{name}': defineV1({
        summary: 'Shows one worker: its last decision, what follows, and what a person can do.',
        params: workerParam,
        answer: whyView.extend({ worker }).meta({ id: 'WorkerDetail' }),
        problems: ['not-found'],
        handle: ({ fleet, actor, params }) => fleet.why({ name: params.name, limit: 20 }, actor),
      }),
    },
  }),
  'workers.message': mutation('operator', 'project', {
    input: messageInput,
    tools: {
      worker_message: { about: 'Sends a text to the agent of a worker, as a person does.', serves: 'person' },
    },
    handle: ({ fleet, actor, input }) => fleet.message(input, actor),
    v1: {
      'POST /v1/workers/{name}/message': defineV1({
        summary:
          'Sends a text to the agent of a worker. It is typed when the screen invites it; while a dialog is shown, the number or the label of an option answers that.',
        params: workerParam,
        body: z.strictObject({ text: messageInput.shape.text }),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: worker,
        problems: ['not-found', 'key-reused'],
        conflicts: ['offline', 'accepting', 'dialog', 'not-working', 'machine'],
        handle: async ({ fleet, actor, params, body, requestId }) =>
          workerOf(await fleet.message({ requestId, name: params.name, text: body.text }, actor)),
      }),
    },
  }),
  'workers.add': mutation('operator', 'project', {
    input: addInput,
    handle: ({ fleet, actor, input }) => fleet.add(input, actor),
  }),
  'workers.settings': query('viewer', 'project', {
    input: workerSettingsInput,
    handle: ({ fleet, actor, input }) => fleet.showWorker(input, actor),
  }),
  'workers.edit': mutation('operator', 'project', {
    input: editWorkerInput,
    handle: ({ fleet, actor, input }) => fleet.editWorker(input, actor),
  }),
  'workers.nuke': mutation('operator', 'project', {
    input: nukeInput,
    handle: ({ fleet, actor, input }) => fleet.nuke(input, actor),
  }),
  'workers.move': mutation('operator', 'project', {
    input: moveInput,
    handle: ({ fleet, actor, input }) => fleet.moveWorker(input, actor),
  }),
  'workers.cancelMove': mutation('operator', 'project', {
    input: cancelMoveInput,
    handle: ({ fleet, actor, input }) => fleet.cancelMove(input, actor),
  }),
  'workers.screen': query('viewer', 'worker', {
    input: screenInput,
    handle: ({ fleet, actor, input }) => fleet.screen(input, actor),
  }),
  'workers.pane': query('viewer', 'project', {
    input: paneInput,
    handle: ({ fleet, actor, input }) => fleet.pane(input, actor),
  }),
  'workers.conversation': query('viewer', 'project', {
    input: conversationInput,
    handle: ({ fleet, actor, input }) => fleet.conversation(input, actor),
    v1: {
      'GET /v1/workers/{name}/conversation': defineV1({
        summary:
          'Shows the conversation with the agent of a worker, page by page from its end: prompts, answers, tool calls, errors, without secrets.',
        params: workerParam,
        query: z.strictObject({
          limit: z.coerce.number().int().min(1).max(200).default(50),
          before: conversationInput.shape.before.meta({ description: 'The `before` of the page that follows' }),
          find: conversationInput.shape.find.meta({ description: 'Only entries that hold these words' }),
        }),
        answer: conversationView.meta({ id: 'Conversation' }),
        problems: ['not-found'],
        conflicts: ['machine'],
        handle: ({ fleet, actor, params, query: asked }) => fleet.conversation({ ...asked, name: params.name }, actor),
      }),
    },
  }),
};

/** Returns the worker of a request, in its state after the decision. */
export function workerOf(outcome: Outcome<RequestView>): Outcome<WorkerView> {
  return outcome.kind === 'ok' ? ok(outcome.value.worker) : outcome;
}
