/** Routes of the public API, from the operations that have one. The table validates, serves and documents (docs/api.md). */
import { invariant } from '@drover/core';
import type { z } from 'zod';
import { OPERATIONS } from '../operations/table.ts';
import type { Operation, PublicOperation } from '../operations/define.ts';
import type { V1Name, V1Route } from './route.ts';

type AnyOperation = Operation<'query' | 'mutation', z.ZodType | undefined, unknown> | PublicOperation;

/** Routes by method and path. */
export const V1_ROUTES: Readonly<Record<V1Name, V1Route>> = Object.fromEntries(
  Object.values<AnyOperation>(OPERATIONS).flatMap((operation) =>
    Object.entries(operation.v1 ?? {}).map(([name, route]): [string, V1Route] => {
      const { kind, role, scope, isSecret = false } = operation;
      const handle = route.handle ?? askedBy(operation);
      return [name, { ...route, handle, isSecret: isSecret || route.isSecret, access: { kind, role, scope } }];
    }),
  ),
);

/** Asks an operation with the input of the route. The operation's schema validates the input once more, as for people's tools. */
function askedBy(operation: AnyOperation): V1Route['handle'] {
  invariant(operation.handle !== null, 'A route of an operation without a procedure has no handle of its own');
  const { input: schema, handle } = operation;
  return ({ fleet, actor, params, query, body, requestId, signal }) => {
    const given = { ...(params as object), ...(query as object), ...(body as object), requestId };
    return handle({ fleet, actor, input: schema?.parse(given) as never, signal });
  };
}

export function v1Place(name: string): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = name.split(' ');
  return { method, path };
}

/** Formats a path for routers, such as `/v1/workers/:name`. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}
