/** Questions to people in the public API. */
import { z } from 'zod';
import {
  commentInput,
  escalationDetail,
  escalationStatuses,
  escalationView,
  resolveInput,
  snoozeInput,
} from '../escalations.ts';
import type { EscalationView } from '../escalations.ts';
import type { Refusal } from '../outcome.ts';
import { workerName } from '../texts.ts';
import { defineV1, listOf, newestFirstCursor, newestFirstPage, ok, page, PROMPT_BODY_BYTES_MAX } from './route.ts';
import type { Actor } from '../people.ts';
import type { V1Call } from './route.ts';
import type { V1Refusal } from './problems.ts';

const params = z.strictObject({ id: resolveInput.shape.id.meta({ description: 'The id, or enough of its end' }) });
const view = escalationView.meta({ id: 'Escalation' });

/** Under `/v1/escalations`. */
export const escalationRoutes = {
  'GET /v1/escalations': defineV1({
    access: 'escalations.list',
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
  'GET /v1/escalations/{id}': defineV1({
    access: 'escalations.show',
    summary: 'Shows one question with everything that helps to answer it.',
    params,
    answer: escalationDetail.meta({ id: 'EscalationDetail' }),
    problems: ['not-found'],
    handle: ({ fleet, actor, params: { id } }) => fleet.escalation({ id }, actor),
  }),
  'POST /v1/escalations/{id}/ack': defineV1({
    access: 'escalations.ack',
    summary: 'Says that somebody looks at it. The question stays open.',
    params,
    answer: view,
    problems: ['not-found', 'already-resolved', 'over'],
    handle: async ({ fleet, actor, params: { id }, requestId }) => {
      const outcome = await fleet.ackEscalation({ id, orderId: requestId }, actor);
      return outcome.kind === 'ok' ? outcome : explained(outcome, { fleet, actor, params: { id } });
    },
  }),
  'POST /v1/escalations/{id}/snooze': defineV1({
    access: 'escalations.snooze',
    summary: 'Makes no calls for a while. The question stays open, and anybody may answer it.',
    params,
    body: z.strictObject({ forMs: snoozeInput.shape.forMs.meta({ description: 'Milliseconds, a minute to a day' }) }),
    answer: view,
    problems: ['not-found', 'already-resolved', 'over'],
    handle: ({ fleet, actor, params: { id }, body: { forMs }, requestId }) =>
      fleet.snoozeEscalation({ orderId: requestId, id, forMs }, actor),
  }),
  'POST /v1/escalations/{id}/escalate': defineV1({
    access: 'escalations.escalate',
    summary: 'Calls whom the next step names, at once.',
    params,
    answer: view,
    problems: ['not-found', 'already-resolved', 'over'],
    handle: ({ fleet, actor, params: { id }, requestId }) =>
      fleet.escalateEscalation({ orderId: requestId, id }, actor),
  }),
  'POST /v1/escalations/{id}/comment': defineV1({
    access: 'escalations.comment',
    summary: 'Leaves words for the others who look at it. Its worker does not get them.',
    params,
    body: z.strictObject({ text: commentInput.shape.text }),
    answer: view,
    problems: ['not-found'],
    handle: ({ fleet, actor, params: { id }, body: { text }, requestId }) =>
      fleet.commentEscalation({ orderId: requestId, id, text }, actor),
  }),
  'POST /v1/escalations/{id}/resolve': defineV1({
    access: 'escalations.resolve',
    summary: 'Answers the question. The first answer to the present asking wins; the others are told which won.',
    params,
    body: z.strictObject({
      option: resolveInput.shape.option.meta({ description: 'The id of one of its options' }),
      asked: z.int().min(1).meta({ description: 'The `asked` of the question that was shown to the person' }),
      text: resolveInput.shape.text.meta({ description: 'Words, for an option that needs them' }),
    }),
    bytesMax: PROMPT_BODY_BYTES_MAX,
    answer: view,
    problems: ['not-found', 'already-resolved', 'changed', 'stale', 'over', 'key-reused'],
    handle: async ({ fleet, actor, params: { id }, body, requestId }) => {
      const { text } = body;
      const answer = {
        orderId: requestId,
        id,
        option: body.option,
        asked: body.asked,
        ...(text !== undefined && { text }),
      };
      const outcome = await fleet.resolveEscalation(answer, actor);
      return outcome.kind === 'ok' ? outcome : explained(outcome, { fleet, actor, params: { id } });
    },
  }),
};

/** A refusal with the answer that won, or with the question as it is now. */
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
