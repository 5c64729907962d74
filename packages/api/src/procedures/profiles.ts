/** The procedures of agent profiles. */
import { putProfileInput, removeProfileInput } from '../profiles.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `profiles`. */
export const profileProcedures = {
  list: route('profiles.list').query(({ ctx }) => ctx.fleet.listProfiles()),
  put: route('profiles.put')
    .input(putProfileInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.putProfile(input, known(ctx)))),
  remove: route('profiles.remove')
    .input(removeProfileInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.removeProfile(input, known(ctx)))),
};
