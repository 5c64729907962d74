/** The procedures of checkpoints. */
import {
  checkpointInput,
  checkpointsInput,
  createCheckpointInput,
  recoverInput,
  recoveryInput,
} from '../checkpoints.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `checkpoints`. */
export const checkpointProcedures = {
  list: route('checkpoints.list')
    .input(checkpointsInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.listCheckpoints(input, known(ctx)))),
  show: route('checkpoints.show')
    .input(checkpointInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.checkpoint(input, known(ctx)))),
  create: route('checkpoints.create')
    .input(createCheckpointInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.createCheckpoint(input, known(ctx)))),
  recover: route('checkpoints.recover')
    .input(recoverInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.recover(input, known(ctx)))),
  recovery: route('checkpoints.recovery')
    .input(recoveryInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.recovery(input, known(ctx)))),
};
