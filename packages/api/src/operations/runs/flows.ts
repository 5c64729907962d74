/** Operations on flows. */
import { flowCheckInput, flowInput, flowView } from '../../runs/flows.ts';
import { defineV1 } from '../../v1/route.ts';
import { mutation, ok, query } from '../define.ts';
import { z } from 'zod';

export const flowOperations = {
  'flows.list': query('viewer', 'fleet', {
    handle: async ({ fleet }) => ok(await fleet.listFlows()),
  }),
  'flows.show': query('viewer', 'fleet', {
    input: flowInput,
    handle: ({ fleet, input }) => fleet.flow(input),
    v1: {
      'GET /v1/flows/{name}': defineV1({
        summary: 'Shows a flow with its text.',
        params: z.strictObject(flowInput.shape),
        answer: flowView.meta({ id: 'Flow' }),
        problems: ['not-found'],
      }),
    },
  }),
  'flows.check': mutation('viewer', 'fleet', {
    input: flowCheckInput,
    handle: ({ fleet, input }) => fleet.checkFlow(input),
  }),
};
