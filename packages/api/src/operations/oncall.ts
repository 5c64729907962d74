/** Operations on on-call steps and silences. */
import { editSilenceInput, silenceInput, silenceView, testOncallInput, unsilenceInput } from '../oncall.ts';
import { changesOf, defineV1, listOf, page, pageOf } from '../v1/route.ts';
import { mutation, ok, publicOnly, query } from './define.ts';
import { z } from 'zod';

const silence = silenceView.meta({ id: 'Silence' });

export const oncallOperations = {
  'oncall.show': query('viewer', 'project', {
    handle: async ({ fleet, actor }) => ok(await fleet.showOncall(actor)),
    v1: {
      'GET /v1/silences': defineV1({
        summary: 'Lists the current silences.',
        query: z.strictObject(page),
        answer: listOf(silence),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { limit, after } }) => {
          const found = (await fleet.showOncall(actor)).flatMap(({ silences }) => silences);
          const each = new Map(found.map((one) => [one.id, one]));
          return pageOf([...each.values()], { limit, after, key: ({ id }) => id });
        },
      }),
    },
  }),
  'oncall.silence': mutation('operator', 'project', {
    input: silenceInput,
    handle: ({ fleet, actor, input }) => fleet.silence(input, actor),
    v1: {
      'POST /v1/silences': defineV1({
        summary: 'Pauses notifications for some questions. They can still be answered.',
        body: z.strictObject(silenceInput.shape),
        answer: silence,
        problems: ['not-found'],
        handle: ({ fleet, actor, body, requestId }) => fleet.silence({ ...body, requestId }, actor),
      }),
    },
  }),
  'oncall.editSilence': publicOnly({
    kind: 'mutation',
    role: 'operator',
    scope: 'project',
    v1: {
      'PATCH /v1/silences/{id}': defineV1({
        summary: 'Changes the end of a silence, counted from now, or its reason.',
        params: z.strictObject({ id: editSilenceInput.shape.id }),
        body: changesOf(editSilenceInput.omit({ id: true })),
        answer: silence,
        problems: ['not-found'],
        handle: ({ fleet, actor, params: { id }, body }) => fleet.editSilence({ id, ...body }, actor),
      }),
    },
  }),
  'oncall.unsilence': mutation('operator', 'project', {
    input: unsilenceInput,
    handle: ({ fleet, actor, input }) => fleet.unsilence(input, actor),
    v1: {
      'DELETE /v1/silences/{id}': defineV1({
        summary: 'Ends a silence early.',
        params: z.strictObject(unsilenceInput.shape),
        answer: silence,
        problems: ['not-found'],
      }),
    },
  }),
  'oncall.chats': query('viewer', 'project', {
    handle: async ({ fleet }) => ok(await fleet.unservedChats()),
  }),
  'oncall.test': mutation('operator', 'project', {
    input: testOncallInput,
    handle: ({ fleet, actor, input }) => fleet.testOncall(input, actor),
  }),
};
