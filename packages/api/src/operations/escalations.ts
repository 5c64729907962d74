/** Questions to people. */
import {
  ackInput,
  commentInput,
  escalateInput,
  escalationDetail,
  escalationInput,
  escalationStatuses,
  escalationView,
  escalationsInput,
  resolveInput,
  snoozeInput,
} from '../escalations.ts';
import type { EscalationView } from '../escalations.ts';
import type { Refusal } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { workerName } from '../texts.ts';
import type { V1Refusal } from '../v1/problems.ts';
import { PROMPT_BODY_BYTES_MAX, defineV1, listOf, newestFirstCursor, newestFirstPage, page } from '../v1/route.ts';
import type { V1Call } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

const params = z.strictObject({ id: resolveInput.shape.id.meta({ description: 'The id, or enough of its end' }) });
const view = escalationView.meta({ id: 'Escalation' });

export const escalationOperations = {
  'escalations.list': query('viewer', 'project', {
    input: escalationsInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.listEscalations(input, actor)),
    v1: {
      'GET /v1/escalations': defineV1({
        summary: 'Lists questions to people, newest first: those that wait, unless "status" says otherwise.',
        query: z.strictObject({
          ...page,
          status: z.enum(['waiting', 'all', ...escalationStatuses]).default('waiting'),
          project: z.string().min(1).max(200).optional(),
          worker: workerName.optional(),
        }),
        answer: listOf(view),
        problems: ['not-found', 'cursor-lost'],
        handle: async ({ fleet, actor, query: { status, after, limit, project, worker } }) => {
          const cursor = newestFirstCursor(after);
          if (cursor.kind === 'refused') return cursor;
          const listed = await fleet.listEscalationPage(
            {
              status: status === 'waiting' ? ['open', 'acked'] : status === 'all' ? escalationStatuses : [status],
              limit: limit + 1,
              project,
              worker,
              after: cursor.place,
            },
            actor,
          );
          if (listed.kind === 'refused') return listed;
          return ok(newestFirstPage(listed.value, limit));
        },
      }),
    },
  }),
  'escalations.show': query('viewer', 'project', {
    input: escalationInput,
    handle: ({ fleet, actor, input }) => fleet.escalation(input, actor),
    v1: {
      'GET /v1/escalations/{id}': defineV1({
        summary: 'Shows one question with everything that helps to answer it.',
        params,
        answer: escalationDetail.meta({ id: 'EscalationDetail' }),
        problems: ['not-found'],
      }),
    },
  }),
  'escalations.ack': mutation('responder', 'project', {
    input: ackInput,
    handle: ({ fleet, actor, input }) => fleet.ackEscalation(input, actor),
    v1: {
      'POST /v1/escalations/{id}/ack': defineV1({
        summary: 'Acknowledges the question. It stays open.',
        params,
        answer: view,
        problems: ['not-found', 'already-resolved', 'over'],
        handle: async ({ fleet, actor, params: { id }, requestId }) => {
          const outcome = await fleet.ackEscalation({ id, requestId }, actor);
          return outcome.kind === 'ok' ? outcome : explained(outcome, { fleet, actor, params: { id } });
        },
      }),
    },
  }),
  'escalations.snooze': mutation('responder', 'project', {
    input: snoozeInput,
    handle: ({ fleet, actor, input }) => fleet.snoozeEscalation(input, actor),
    v1: {
      'POST /v1/escalations/{id}/snooze': defineV1({
        summary: 'Pauses notifications. The question stays open, and anybody may answer it.',
        params,
        body: z.strictObject({
          forMs: snoozeInput.shape.forMs.meta({ description: 'Milliseconds, a minute to a day' }),
        }),
        answer: view,
        problems: ['not-found', 'already-resolved', 'over'],
      }),
    },
  }),
  'escalations.escalate': mutation('responder', 'project', {
    input: escalateInput,
    handle: ({ fleet, actor, input }) => fleet.escalateEscalation(input, actor),
    v1: {
      'POST /v1/escalations/{id}/escalate': defineV1({
        summary: 'Notifies the people of the next step at once.',
        params,
        answer: view,
        problems: ['not-found', 'already-resolved', 'over'],
      }),
    },
  }),
  'escalations.comment': mutation('responder', 'project', {
    input: commentInput,
    handle: ({ fleet, actor, input }) => fleet.commentEscalation(input, actor),
    v1: {
      'POST /v1/escalations/{id}/comment': defineV1({
        summary: 'Adds a comment for other people. The worker does not get it.',
        params,
        body: z.strictObject({ text: commentInput.shape.text }),
        answer: view,
        problems: ['not-found'],
      }),
    },
  }),
  'escalations.resolve': mutation('responder', 'project', {
    input: resolveInput,
    handle: ({ fleet, actor, input }) => fleet.resolveEscalation(input, actor),
    v1: {
      'POST /v1/escalations/{id}/resolve': defineV1({
        summary: 'Answers the question. The first answer to the present asking wins; later ones learn which won.',
        params,
        body: z.strictObject({
          option: resolveInput.shape.option.meta({ description: 'The id of one of its options' }),
          asked: z.int().min(1).meta({ description: 'The `asked` of the question that was shown to the person' }),
          text: resolveInput.shape.text.meta({ description: 'The text, for an option that needs one' }),
        }),
        bytesMax: PROMPT_BODY_BYTES_MAX,
        answer: view,
        problems: ['not-found', 'already-resolved', 'changed', 'stale', 'over', 'key-reused'],
        handle: async ({ fleet, actor, params: { id }, body, requestId }) => {
          const { text } = body;
          const answer = {
            requestId,
            id,
            option: body.option,
            asked: body.asked,
            ...(text !== undefined && { text }),
          };
          const outcome = await fleet.resolveEscalation(answer, actor);
          return outcome.kind === 'ok' ? outcome : explained(outcome, { fleet, actor, params: { id } });
        },
      }),
    },
  }),
};

/** Adds to a refusal the answer that won, or the present question. */
export async function explained(
  refusal: Refusal,
  {
    fleet,
    actor,
    params: { id },
  }: {
    readonly fleet: Pick<V1Call<unknown, unknown, unknown>['fleet'], 'escalation'>;
    readonly actor: Actor;
    readonly params: { readonly id: string };
  },
): Promise<V1Refusal> {
  if (refusal.code !== 'already-resolved' && refusal.code !== 'changed') return refusal;
  const now = await fleet.escalation({ id }, actor);
  return now.kind === 'refused' ? refusal : { ...refusal, extras: extrasOf(refusal.code, now.value) };
}

function extrasOf(code: 'already-resolved' | 'changed', { resolution, asked, title, question }: EscalationView) {
  if (code === 'changed') return { present: { asked, title, options: question.options.map((option) => option.id) } };
  return resolution === null ? {} : { winner: { option: resolution.option, by: resolution.by, at: resolution.at } };
}
