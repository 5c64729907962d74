/** Roles and their holders: callers, tokens and the audit. */
import { NAME_MAX, channelName, epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';

/** The rights of a token: `worker` sees only its own worker and changes nothing; each further role includes the previous one. */
export type Role = 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';

/** The caller, as the token says. A token with a project reaches nothing outside of it. */
export interface Actor {
  readonly kind: 'person' | 'worker' | 'bot';
  /** Id of the token. */
  readonly id: string;
  /** Name of the token. */
  readonly name: string;
  readonly role: Role;
  /** The id of the only project that the token reaches; null: all of them. */
  readonly project: string | null;
  /** The id of the worker that the token was made for; null: the token is a person's. */
  readonly worker: string | null;
  /** The channels for whose people a bot's token speaks; absent: the token is no bot's. */
  readonly channels?: readonly string[];
  /** The bot by which the person speaks; absent: none. */
  readonly via?: string;
  /** The place of the request, such as `telegram:7`; absent: the person used a token of their own. */
  readonly place?: string;
}

const MS_A_DAY = 86_400_000;

const NAME_WORDS = 'A name has 1 to 63 letters, digits, dots, hyphens and @, and starts with a letter or digit';

/** The name of a person's token: logs, history and the audit show it. */
const tokenName = z
  .string()
  .max(63, NAME_WORDS)
  .regex(/^[a-z0-9][a-z0-9._@-]{0,62}$/i, NAME_WORDS);

/** The role of a person or a token. */
export const personRole = z.enum(['viewer', 'responder', 'operator', 'admin'], {
  error: 'The role does not exist; the roles are: viewer, responder, operator, admin',
});

/** The name of a person: chats, logs, history and the audit show it. */
export const personName = tokenName;

/** Days that a token is good by default: people who leave a team are out by then. */
const TOKEN_DAYS = 90;

const tokenSpan = z
  .number()
  .int()
  .min(60_000, 'The token would expire within a minute: give it longer')
  .max(
    3_650 * MS_A_DAY,
    'The token would be valid for more than ten years: give null ("never") for a token that does not expire',
  );

/** A new token, which reaches all projects if `project` is absent. `expiresInMs`: null, the token is good until it is revoked. */
export const createTokenInput = z.object({
  name: tokenName,
  role: personRole,
  /** Makes the token a bot's: it speaks for the people of these channels alone, and allows them at most its role. */
  channels: z.array(channelName).min(1).max(10).optional(),
  project: z.string().min(1).max(NAME_MAX).optional(),
  expiresInMs: tokenSpan.nullable().default(TOKEN_DAYS * MS_A_DAY),
});

/** Revokes a token. `own`: also the caller's; `force`: also the last one of an admin. */
export const revokeTokenInput = z.object({ name: z.string().min(1).max(100), own: z.boolean(), force: z.boolean() });

/** Gives a token another end, counted from now; null: the token is good until it is revoked. Other rights need another token. */
export const editTokenInput = z.object({
  name: z.string().min(1).max(100),
  expiresInMs: tokenSpan.nullable(),
});

/** A token as it is listed; its secret is not stored. Times are epoch milliseconds. */
export const tokenView = z.object({
  id: uuid,
  name: z.string(),
  role: z.enum(['worker', 'viewer', 'responder', 'operator', 'admin']),
  /** The only project that the token reaches; null: the token reaches all projects. */
  project: z.string().nullable(),
  /** The worker whose token it is; null: the token is a person's. */
  worker: z.string().nullable(),
  /** The channels of a bot's token. */
  channels: z.array(z.string()).nullable(),
  createdAt: epochMs,
  expiresAt: epochMs.nullable(),
  /** Rounded to the minute. */
  lastUsedAt: epochMs.nullable(),
  /** True if the caller uses this token. */
  own: z.boolean(),
});

export type TokenView = z.infer<typeof tokenView>;

/** The use cases of tokens: a part of `Fleet`. */
export interface TokenFleet {
  listTokens(by: Actor): Promise<readonly TokenView[]>;
  /** Refuses with `name-taken`, or `not-found` of the project. The answer is the only place that shows the secret. */
  createToken(
    input: z.infer<typeof createTokenInput>,
    by: Actor,
  ): Promise<Outcome<{ readonly secret: string; readonly token: TokenView }>>;
  /** Refuses with `last-admin` if the last token of an admin that has no end would get one. */
  editToken(input: z.infer<typeof editTokenInput>, by: Actor): Promise<Outcome<TokenView>>;
  /** Refuses with `own-token` and `last-admin`, so that people do not lock themselves out by mistake. */
  revokeToken(input: z.infer<typeof revokeTokenInput>, by: Actor): Promise<Outcome<TokenView>>;
}

/** Asks for rows, newest first: of one actor, of the last `sinceMs`. */
export const auditListInput = z.object({
  actor: z.string().min(1).max(300).optional(),
  sinceMs: z.number().int().positive().optional(),
  limit: z.number().int().min(1).max(10_000),
});

const head = z.object({
  chain: z.string().max(100),
  seq: z.number().int().positive(),
  hash: z
    .string()
    .length(64)
    .regex(/^[0-9a-f]{64}$/),
});

/** The last row of a chain. */
export type AuditHeadView = z.infer<typeof head>;

/** Heads that were kept elsewhere and must still be in their chains. */
export const auditVerifyInput = z.object({ kept: z.array(head).max(20_000) });

/** A change. `details` hold names, kinds and sums, never the text of a prompt. */
export const auditView = z.object({
  chain: z.string(),
  seq: z.number().int(),
  at: epochMs,
  /** The actor, as in `eventView`. */
  actor: z.string(),
  action: z.string(),
  about: z.string(),
  details: z.record(z.string(), z.unknown()),
  hash: z.string(),
});

export type AuditView = z.infer<typeof auditView>;

/** The verdict: the audit is complete, or the first wrong row and its fault. */
export const auditVerdict = z.object({
  rows: z.number().int(),
  chains: z.number().int(),
  wrong: z
    .object({
      chain: z.string(),
      seq: z.number().int(),
      how: z.enum(['changed', 'removed', 'inserted', 'reordered']),
      says: z.string(),
    })
    .nullable(),
  /** Heads for storage elsewhere: with them a rewritten audit is found too. */
  heads: z.array(head),
});

export type AuditVerdict = z.infer<typeof auditVerdict>;

/** The place of a row in the list, which is sorted by time, chain and number. */
export type AuditListPlace = Pick<AuditView, 'at' | 'chain' | 'seq'>;

/** The use cases of the audit: a part of `Fleet`. */
export interface AuditFleet {
  /** Lists rows; with `after`, only rows that follow this row in the list. */
  listAudit(
    input: z.infer<typeof auditListInput> & { readonly after?: AuditListPlace | undefined },
    by: Actor,
  ): Promise<readonly AuditView[]>;
  verifyAudit(input: z.infer<typeof auditVerifyInput>, by: Actor): Promise<AuditVerdict>;
}
