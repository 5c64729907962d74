/** The procedures of machines. */
import {
  addMachineInput,
  drainMachineInput,
  inviteInput,
  labelMachineInput,
  machineInput,
  removeMachineInput,
  trustMachineInput,
} from '../machines.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `machines`. */
export const machineProcedures = {
  list: route('machines.list').query(({ ctx }) => ctx.fleet.listMachines(known(ctx))),
  invite: route('machines.invite')
    .input(inviteInput)
    .mutation(({ ctx, input }) => ctx.fleet.invite(input, known(ctx))),
  add: route('machines.add')
    .input(addMachineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.addMachine(input, known(ctx)))),
  trust: route('machines.trust')
    .input(trustMachineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.trustMachine(input, known(ctx)))),
  gateways: route('machines.gateways').query(({ ctx }) => ctx.fleet.listGateways(known(ctx))),
  revoke: route('machines.revoke')
    .input(machineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.revokeMachine(input, known(ctx)))),
  rotate: route('machines.rotate')
    .input(machineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.rotateMachine(input, known(ctx)))),
  cordon: route('machines.cordon')
    .input(machineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.cordonMachine(input, known(ctx)))),
  uncordon: route('machines.uncordon')
    .input(machineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.uncordonMachine(input, known(ctx)))),
  label: route('machines.label')
    .input(labelMachineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.labelMachine(input, known(ctx)))),
  drain: route('machines.drain')
    .input(drainMachineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.drainMachine(input, known(ctx)))),
  remove: route('machines.remove')
    .input(removeMachineInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeMachine(input, known(ctx)))),
};
