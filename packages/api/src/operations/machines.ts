/** Operations on machines. */
import {
  addMachineInput,
  drainMachineInput,
  inviteInput,
  labelMachineInput,
  machineInput,
  machineView,
  removeMachineInput,
  trustMachineInput,
} from '../machines.ts';
import { defineV1, listOf, page, pageOf } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

export const machineOperations = {
  'machines.list': query('viewer', 'project', {
    handle: async ({ fleet, actor }) => ok(await fleet.listMachines(actor)),
    v1: {
      'GET /v1/machines': defineV1({
        summary: 'Lists the machines.',
        query: z.strictObject(page),
        answer: listOf(machineView.meta({ id: 'Machine' })),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: asked }) =>
          pageOf(await fleet.listMachines(actor), { limit: asked.limit, after: asked.after, key: ({ id }) => id }),
      }),
    },
  }),
  'machines.invite': mutation('admin', 'fleet', {
    isSecret: true,
    input: inviteInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.invite(input, actor)),
  }),
  'machines.add': mutation('admin', 'fleet', {
    input: addMachineInput,
    handle: ({ fleet, actor, input }) => fleet.addMachine(input, actor),
  }),
  'machines.trust': mutation('admin', 'fleet', {
    input: trustMachineInput,
    handle: ({ fleet, actor, input }) => fleet.trustMachine(input, actor),
  }),
  'machines.gateways': query('viewer', 'fleet', {
    handle: async ({ fleet, actor }) => ok(await fleet.listGateways(actor)),
  }),
  'machines.revoke': mutation('admin', 'fleet', {
    input: machineInput,
    handle: ({ fleet, actor, input }) => fleet.revokeMachine(input, actor),
  }),
  'machines.rotate': mutation('admin', 'fleet', {
    input: machineInput,
    handle: ({ fleet, actor, input }) => fleet.rotateMachine(input, actor),
  }),
  'machines.cordon': mutation('admin', 'fleet', {
    input: machineInput,
    handle: ({ fleet, actor, input }) => fleet.cordonMachine(input, actor),
  }),
  'machines.uncordon': mutation('admin', 'fleet', {
    input: machineInput,
    handle: ({ fleet, actor, input }) => fleet.uncordonMachine(input, actor),
  }),
  'machines.label': mutation('admin', 'fleet', {
    input: labelMachineInput,
    handle: ({ fleet, actor, input }) => fleet.labelMachine(input, actor),
  }),
  'machines.drain': mutation('admin', 'fleet', {
    input: drainMachineInput,
    handle: ({ fleet, actor, input }) => fleet.drainMachine(input, actor),
  }),
  'machines.remove': mutation('admin', 'fleet', {
    input: removeMachineInput,
    handle: ({ fleet, actor, input }) => fleet.removeMachine(input, actor),
  }),
};
