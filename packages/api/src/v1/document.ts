/** The OpenAPI document of the public API, made from the schemas that validate. */
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiOverride,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { ACTION_OPERATIONS } from './actions.ts';
import { problem, PROBLEMS } from './problems.ts';
import type { ProblemCode } from './problems.ts';
import type { V1Route } from './route.ts';
import { V1_ROUTES, v1Place } from './table.ts';

/** Characters of a key: an id, or a name that a client makes of its own. */
export const KEY_CHARS_MAX = 200;

/** Names a request, so that a repetition after a lost answer acts once. */
export const idempotencyKey = z
  .string()
  .min(1, 'The header Idempotency-Key is empty: leave it out, or name the request')
  .max(KEY_CHARS_MAX, `The header Idempotency-Key has at most ${KEY_CHARS_MAX} characters`)
  .regex(/^[\x21-\x7e]+$/u, 'The header Idempotency-Key has only visible ASCII characters');

/** @param version Of Drover. */
export function v1Document(version: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, route] of Object.entries(V1_ROUTES)) {
    const { method, path } = v1Place(name);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, route) };
  }
  paths['/v1/actions'] = { ...ACTION_OPERATIONS };
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Drover',
        version,
        description:
          'The public API of Drover. Send a token with `Authorization: Bearer …`. Times are epoch milliseconds. ' +
          'A refusal is application/problem+json with a code that stays.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths,
    },
    { override: describeItems },
  );
}

/** Clients are often made by programs that know arrays alone: a tuple says what its items are, and how many there are. */
const describeItems: ZodOpenApiOverride = ({ jsonSchema: schema }) => {
  const { prefixItems } = schema;
  if (prefixItems === undefined) return;
  const known = prefixItems.filter((item) => typeof item === 'object');
  const kinds = [...new Map(known.map((item) => [JSON.stringify(item), item])).values()];
  const [only] = kinds;
  schema.items = kinds.length === 1 && only !== undefined ? only : { anyOf: kinds };
  schema.minItems = prefixItems.length;
  schema.maxItems = prefixItems.length;
};

function operation(name: string, route: V1Route): ZodOpenApiOperationObject {
  const { method, path } = v1Place(name);
  const isChange = method !== 'GET';
  const [, , tag = ''] = path.split('/');
  return {
    operationId: operationIdOf(name),
    summary: route.summary,
    description: `Needs the role ${route.access.role}${route.access.scope === 'fleet' ? ', with a token of all projects' : ''}.`,
    tags: [tag],
    requestParams: {
      path: route.params,
      query: route.query,
      ...(isChange && { header: z.object({ 'Idempotency-Key': idempotencyKey.optional() }) }),
    },
    ...(route.body !== null && {
      requestBody: { required: true, content: { 'application/json': { schema: route.body } } },
    }),
    responses: responsesOf(route, isChange),
  };
}

/** `POST /v1/escalations/{id}/ack` is `postEscalationsIdAck`. */
export function operationIdOf(name: string): string {
  const { method, path } = v1Place(name);
  const words = path
    .split('/')
    .slice(2)
    .flatMap((part) => part.replaceAll(/[{}]/gu, '').split(/[-.]/u));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The codes of a route by their statuses. The codes of its use case are conflicts. */
export function codesOf(route: V1Route, isChange: boolean): Readonly<Record<number, readonly ProblemCode[]>> {
  const takesInput = route.body !== null || isChange || shapeSize(route) > 0;
  const codes: readonly ProblemCode[] = [
    'unauthorized',
    'forbidden',
    'too-many-requests',
    'internal',
    ...(takesInput ? (['invalid'] as const) : []),
    ...(route.body === null ? [] : (['not-json', 'length-required', 'wrong-type', 'too-large'] as const)),
    ...(isChange ? (['key-reused'] as const) : []),
    ...route.problems,
  ];
  const byStatus: Record<number, ProblemCode[]> = route.conflicts.length > 0 ? { 409: [] } : {};
  for (const code of new Set(codes))
    byStatus[PROBLEMS[code].status] = [...(byStatus[PROBLEMS[code].status] ?? []), code];
  return byStatus;
}

function conflictWords({ conflicts }: V1Route): readonly string[] {
  if (conflicts.length === 0) return [];
  return [`What stands in the way: ${conflicts.map((code) => `\`${code}\``).join(', ')}`];
}

function shapeSize({ params, query }: V1Route): number {
  return Object.keys(params.shape).length + Object.keys(query.shape).length;
}

function responsesOf(route: V1Route, isChange: boolean): ZodOpenApiResponsesObject {
  const refusals = Object.entries(codesOf(route, isChange)).map(([status, codes]) => {
    const description = [
      ...codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`),
      ...(status === '409' ? conflictWords(route) : []),
    ].join('. ');
    const retry = status === '429' ? { headers: { 'Retry-After': { schema: { type: 'integer' as const } } } } : {};
    return [status, { description, content: { 'application/problem+json': { schema: problem } }, ...retry }] as const;
  });
  return {
    '200': {
      description: 'Done',
      content:
        route.stream === null
          ? { 'application/json': { schema: route.answer } }
          : { 'text/event-stream': { schema: route.stream } },
    },
    ...Object.fromEntries(refusals),
  };
}
