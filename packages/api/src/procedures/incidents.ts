/** The procedures of errors and reports. */
import { errorInput, errorsInput, reportInput } from '../incidents.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** `errors`, `error` and `report`. */
export const incidentProcedures = {
  errors: route('errors')
    .input(errorsInput)
    .query(({ ctx, input }) => ctx.fleet.listErrors(input, known(ctx))),
  error: route('error')
    .input(errorInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.error(input, known(ctx)))),
  report: route('report')
    .input(reportInput)
    .query(async ({ ctx, input }) => value(await ctx.fleet.report(input, known(ctx)))),
};
