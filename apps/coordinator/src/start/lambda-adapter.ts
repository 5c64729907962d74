/** Adapts requests of AWS Lambda: from a function URL, API Gateway (both payload formats) or a load balancer. */
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';

/** Function that Lambda calls. */
export type LambdaHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<unknown>;

/** @param serve Answers a request; never rejects. Binary bodies pass through unchanged. */
export function lambdaHandler(serve: (request: Request) => Promise<Response>): LambdaHandler {
  const app = new Hono();
  app.all('*', (http) => serve(http.req.raw));
  return handle(app);
}
