/** Handler for AWS Lambda: `lambda.handler` of the packed build (infra/functions). */
import { lambdaHandler } from '@drover/coordinator';
import { serve } from './functions.ts';

/** Answers a request. */
export const handler = lambdaHandler(serve);
