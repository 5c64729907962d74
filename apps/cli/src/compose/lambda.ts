/** What AWS Lambda calls: `lambda.handler` of the packed build (infra/functions). */
import { lambdaHandler } from '@drover/coordinator';
import { serve } from './functions.ts';

/** One request, one answer. */
export const handler = lambdaHandler(serve);
