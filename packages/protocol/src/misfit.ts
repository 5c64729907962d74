/** Finds the part of a message that this build cannot read. */
import { z } from 'zod';

/** The first thing that does not fit. */
export interface Misfit {
  /** Path in the message, such as `body.command.kind`; empty: the whole. */
  readonly at: string;
  /** Explanation for people. */
  readonly why: string;
  /** Tells that one of several choices was expected, and the message has none that this build has: the sender has more of them. */
  readonly isLater: boolean;
}

/** Characters of the words that are kept: lists of choices can be long. */
const WHY_MAX = 200;

/** Finds what is wrong with something that `schema` does not take. Call it for nothing else. */
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
