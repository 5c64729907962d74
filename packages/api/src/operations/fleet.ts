/** Operations on the fleet as a whole: the caller, its accounts, doctor, up and down. */
import { cureInput } from '../doctor.ts';
import { defineV1 } from '../v1/route.ts';
import { fleetInput } from '../workers/workers.ts';
import { mutation, ok, query } from './define.ts';
import { uuid } from '@drover/protocol';
import { z } from 'zod';

const me = z
  .object({
    kind: z.enum(['person', 'worker', 'bot']),
    id: uuid.meta({ description: 'Of the token' }),
    name: z.string(),
    role: z.enum(['worker', 'viewer', 'responder', 'operator', 'admin']),
    project: uuid.nullable().meta({ description: 'The id of the only project that the token reaches; null: all' }),
    version: z.string().meta({ description: 'Of Drover' }),
  })
  .meta({ id: 'Me' });

/** Operations beside those of the fleet's parts. */
export const fleetOperations = {
  info: query('viewer', 'worker', {
    handle: async ({ fleet }) => ok(await fleet.info()),
    v1: {
      'GET /v1/me': defineV1({
        summary: 'Says whose token this is.',
        answer: me,
        handle: async ({ fleet, actor: { kind, id, name: called, role, project } }) => {
          const { version } = await fleet.info();
          return ok({ kind, id, name: called, role, project, version });
        },
      }),
    },
  }),
  accounts: query('viewer', 'project', {
    handle: async ({ fleet, actor }) => ok(await fleet.listAccounts(actor)),
  }),
  'doctor.diagnose': query('viewer', 'fleet', {
    handle: async ({ fleet, actor }) => ok(await fleet.diagnose(actor)),
  }),
  'doctor.repair': mutation('operator', 'fleet', {
    input: cureInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.repair(input, actor)),
  }),
  'doctor.rebuild': mutation('admin', 'fleet', {
    input: cureInput,
    handle: ({ fleet, actor, input }) => fleet.rebuild(input, actor),
  }),
  'fleet.up': mutation('operator', 'project', {
    input: fleetInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.setWanted('up', input.requestId, actor)),
  }),
  'fleet.down': mutation('operator', 'project', {
    input: fleetInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.setWanted('down', input.requestId, actor)),
  }),
  'fleet.stop': mutation('admin', 'fleet', {
    handle: ({ fleet, actor }) => fleet.stop(actor),
  }),
};
