/** Links by which a person answers one question without a token: the page that they open, and what its button sends. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { resolveInput } from '../escalations.ts';
import { problem, PROBLEMS } from './problems.ts';
import type { ProblemCode } from './problems.ts';

/** The token of a link; the coordinator tells which tokens are its own. */
export const actionToken = z.string().min(1).max(200).meta({ description: 'What the link has behind "token="' });

/** `POST /v1/actions`: answers the question that the link is for. */
export const actionInput = z.strictObject({
  token: actionToken,
  option: resolveInput.shape.option.meta({ description: 'The id of one of its options' }),
  text: resolveInput.shape.text.meta({ description: 'The text, for an option that needs one' }),
});

export type ActionInput = z.infer<typeof actionInput>;

/** The answer was accepted. */
export const actionAnswer = z
  .object({
    escalation: z.string().meta({ description: 'The id of the question' }),
    option: z.string(),
    says: z.string().meta({ description: 'For people: what was answered' }),
  })
  .meta({ id: 'ActionAnswer' });

export type ActionAnswer = z.infer<typeof actionAnswer>;

const REFUSALS = [
  'not-json',
  'forbidden',
  'not-found',
  'already-resolved',
  'changed',
  'stale',
  'over',
  'length-required',
  'too-large',
  'wrong-type',
  'invalid',
  'key-reused',
  'too-many-requests',
  'internal',
] as const satisfies readonly ProblemCode[];

/** Entries of the OpenAPI document for action links: they need no token of the API, because the link names the person. */
export const ACTION_OPERATIONS: Readonly<Record<'get' | 'post', ZodOpenApiOperationObject>> = {
  get: {
    operationId: 'getActions',
    summary: 'Shows the question of a link, with a button for each answer. It never answers.',
    tags: ['actions'],
    security: [],
    requestParams: { query: z.strictObject({ token: actionToken }) },
    responses: {
      '200': { description: 'The page of an open question', content: page() },
      ...Object.fromEntries([403, 404, 409, 410, 422].map((status) => [status, pageOf(status)])),
      // Answers that come before the page is made.
      ...Object.fromEntries([429, 500].map((status) => [status, refusalsOf(status)])),
    },
  },
  post: {
    operationId: 'postActions',
    summary: 'Answers the question of a link, once.',
    tags: ['actions'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: actionInput },
        'application/x-www-form-urlencoded': { schema: actionInput },
      },
    },
    responses: {
      '200': {
        description: 'The answer counts. A form is answered with a page',
        content: { 'application/json': { schema: actionAnswer }, ...page() },
      },
      ...Object.fromEntries(
        [...new Set(REFUSALS.map((code) => PROBLEMS[code].status))].map((status) => [status, refusalsOf(status)]),
      ),
    },
  },
};

function page() {
  return { 'text/html': { schema: { type: 'string' as const } } };
}

function pageOf(status: number) {
  const { description } = refusalsOf(status);
  return { description, content: page() };
}

function refusalsOf(status: number) {
  const codes = REFUSALS.filter((code) => PROBLEMS[code].status === status);
  const description = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('. ');
  return { description, content: { 'application/problem+json': { schema: problem }, ...page() } };
}
