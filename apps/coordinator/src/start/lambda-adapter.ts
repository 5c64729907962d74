/** Requests as AWS Lambda brings them: from a function URL, API Gateway (both payload formats) or a load balancer. */
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';

/** What Lambda calls. */
export type LambdaHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<unknown>;

/** @param serve Answers a request; it does not reject. Bodies that are no text go through as they are. */
export function lambdaHandler(serve: (request: Request) => Promise<Response>): LambdaHandler {
  const app = new Hono();
  app.all('*', (http) => serve(http.req.raw));
  return handle(app);
}
