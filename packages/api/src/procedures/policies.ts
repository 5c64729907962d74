/** The procedures of the recovery policy. */
import { policyDiffInput, policyShowInput, replayInput } from '../policies.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `policy`. */
export const policyProcedures = {
  show: route('policy.show')
    .input(policyShowInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.showPolicy(input, known(ctx)))),
  diff: route('policy.diff')
    .input(policyDiffInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.diffPolicies(input, known(ctx)))),
  replay: route('policy.replay')
    .input(replayInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.replay(input, known(ctx)))),
};
