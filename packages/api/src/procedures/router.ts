/** The tRPC router of people's tools, from the table of operations. */
import type { TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { z } from 'zod';
import type { Operation } from '../operations/define.ts';
import { OPERATIONS } from '../operations/table.ts';
import type { Operations, RouteName } from '../operations/table.ts';
import { procedureOf, router } from './route.ts';
import type { Asking } from './route.ts';

type InputOf<S> = S extends z.ZodType ? z.input<S> : void;
type ProcedureOf<O> =
  O extends Operation<infer K, infer S, infer A>
    ? K extends 'query'
      ? TRPCQueryProcedure<{ input: InputOf<S>; output: A; meta: object }>
      : TRPCMutationProcedure<{ input: InputOf<S>; output: A; meta: object }>
    : never;

/** The part of a name before its dot, such as `workers`. */
type Subject = RouteName extends infer N ? (N extends `${infer S}.${string}` ? S : never) : never;

/** Procedures as clients call them: `workers.list` is `list` of `workers`. */
type Procedures = {
  [S in Subject]: {
    [N in RouteName as N extends `${S}.${infer Verb}` ? Verb : never]: ProcedureOf<Operations[N]>;
  };
} & { [N in RouteName as N extends `${string}.${string}` ? never : N]: ProcedureOf<Operations[N]> };

function procedures(): Procedures {
  const all: Record<string, unknown> = {};
  const bySubject: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    if (operation.handle === null) continue;
    const procedure = procedureOf(name, operation as Asking);
    const [subject = '', verb] = name.split('.');
    if (verb === undefined) all[name] = procedure;
    else (bySubject[subject] ??= {})[verb] = procedure;
  }
  // `all` and `bySubject` have the same names as the type.
  return { ...all, ...bySubject } as unknown as Procedures;
}

/** All procedures. A refusal becomes 404 (`not-found`), 400 (`invalid`) or 409, with its code as `data.reason`. */
export const appRouter = router(procedures());

/** The type that clients import; clients get nothing else of the server. */
export type AppRouter = typeof appRouter;
