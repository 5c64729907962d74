/** What in a message is it that this build cannot read? */
import { z } from 'zod';

/** The first thing that does not fit. */
export interface Misfit {
  /** Where it stands, such as `body.command.kind`; empty: the whole. */
  readonly at: string;
  /** What is wrong there, for people. */
  readonly why: string;
  /** One of several choices was expected, and it is none of those that this build has: the sender has more of them. */
  readonly isLater: boolean;
}

/** Characters of the words that are kept: lists of choices can be long. */
const WHY_MAX = 200;

/** What is wrong with something that `schema` does not take. Call it for nothing else. */
export function misfitOf(schema: z.ZodType, said: unknown): Misfit {
  const [issue] = schema.safeParse(said).error?.issues ?? [];
  return {
    at: (issue?.path ?? []).join('.'),
    why: (issue?.message ?? 'it cannot be read').slice(0, WHY_MAX),
    isLater: issue?.code === 'invalid_value' || (issue?.code === 'invalid_union' && issue.errors.length === 0),
  };
}

/** A misfit in words, such as `"body.command.kind": Invalid input`. */
export function tellMisfit({ at, why }: Misfit): string {
  return at === '' ? why : `"${at}": ${why}`;
}
