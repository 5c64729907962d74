/** Binds the use cases of errors and reports to a context. */
import type { IncidentFleet } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { listErrors, showError } from './errors.ts';
import { report } from './report.ts';

export function createIncidentFleet(ctx: Context): IncidentFleet {
  return {
    listErrors: (input, by) => listErrors(ctx, input, by),
    error: ({ id }, by) => showError(ctx, id, by),
    report: (input, by) => report(ctx, input, by),
  };
}
