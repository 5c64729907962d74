/** The procedures of the fleet as a whole. */
import { fleetInput } from '../workers.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** `info`. */
export const infoProcedure = route('info').query(({ ctx }) => ctx.fleet.info());

/** Under `fleet`. */
export const fleetProcedures = {
  up: route('fleet.up')
    .input(fleetInput)
    .mutation(({ ctx, input }) => ctx.fleet.setWanted('up', input.orderId, known(ctx))),
  down: route('fleet.down')
    .input(fleetInput)
    .mutation(({ ctx, input }) => ctx.fleet.setWanted('down', input.orderId, known(ctx))),
  stop: route('fleet.stop').mutation(async ({ ctx }) => value(await ctx.fleet.stop(known(ctx)))),
};
