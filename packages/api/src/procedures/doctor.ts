/** The procedures of `drover doctor`. */
import { cureInput } from '../doctor.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `doctor`. */
export const doctorProcedures = {
  diagnose: route('doctor.diagnose').query(({ ctx }) => ctx.fleet.diagnose(known(ctx))),
  repair: route('doctor.repair')
    .input(cureInput)
    .mutation(({ ctx, input }) => ctx.fleet.repair(input, known(ctx))),
  rebuild: route('doctor.rebuild')
    .input(cureInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.rebuild(input, known(ctx)))),
};
