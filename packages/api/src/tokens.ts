/** What crosses the API about the tokens of people and workers: inputs, views, and the use cases behind them. */
import { epochMs, NAME_MAX, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Actor, Outcome } from './ports.ts';

const MS_A_DAY = 86_400_000;

const NAME_WORDS = 'The name of a token has 1 to 63 letters, digits, dots, hyphens and @, a letter or digit first';

/** The name of a person's token: it stands in logs, history and the audit. */
const tokenName = z
  .string()
  .max(63, NAME_WORDS)
  .regex(/^[a-z0-9][a-z0-9._@-]{0,62}$/i, NAME_WORDS);

const role = z.enum(['viewer', 'responder', 'operator', 'admin'], {
  error: 'The role is none; there are: viewer, responder, operator, admin',
});

/** A new token. Without a project it reaches all of them; without an end it is good until it is revoked. */
export const createTokenInput = z.object({
  name: tokenName,
  role,
  project: z.string().min(1).max(NAME_MAX).optional(),
  expiresInMs: z
    .number()
    .int()
    .min(60_000, 'The token would be over within a minute: give it longer')
    .max(3_650 * MS_A_DAY, 'The token would be good for more than ten years: leave --expires out')
    .optional(),
});

/** Takes a token back. `own`: also the one that asks; `force`: also the last one of an admin. */
export const revokeTokenInput = z.object({ name: z.string().min(1).max(100), own: z.boolean(), force: z.boolean() });

/** A token as it is listed; its secret is not stored. Times are epoch milliseconds. */
export const tokenView = z.object({
  id: uuid,
  name: z.string(),
  role: z.enum(['worker', 'viewer', 'responder', 'operator', 'admin']),
  /** Null: it reaches all projects. */
  project: z.string().nullable(),
  /** The worker whose token it is; null: a person's. */
  worker: z.string().nullable(),
  createdAt: epochMs,
  expiresAt: epochMs.nullable(),
  /** Kept to the minute. */
  lastUsedAt: epochMs.nullable(),
  /** Whether the one who asks uses it. */
  own: z.boolean(),
});
/** A checked `tokenView`. */
export type TokenView = z.infer<typeof tokenView>;

/** The use cases of tokens: a part of `Fleet`. */
export interface TokenFleet {
  listTokens(by: Actor): Promise<readonly TokenView[]>;
  /** Refused with `name-taken`, or `not-found` of the project. The secret is told here and never again. */
  createToken(
    input: z.infer<typeof createTokenInput>,
    by: Actor,
  ): Promise<Outcome<{ readonly secret: string; readonly token: TokenView }>>;
  /** Refused with `own-token` and `last-admin`, so that nobody locks themselves out by mistake. */
  revokeToken(input: z.infer<typeof revokeTokenInput>, by: Actor): Promise<Outcome<TokenView>>;
}
