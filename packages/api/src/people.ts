/** Who may do what, and who did what: callers, tokens and the audit. */
import { NAME_MAX, channelName, epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';

/** What a token allows: `worker` sees what concerns one worker and changes nothing, the others each include the one before. */
export type Role = 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';

/** Who is asking, as the token says. A token with a project reaches nothing outside of it. */
export interface Actor {
  readonly kind: 'person' | 'worker' | 'bot';
  /** Of the token. */
  readonly id: string;
  /** Of the token. */
  readonly name: string;
  readonly role: Role;
  /** The id of the only project that the token reaches; null: all of them. */
  readonly project: string | null;
  /** The id of the worker that the token was made for; null: a person's. */
  readonly worker: string | null;
  /** The channels for whose people a bot's token speaks; absent: it is no bot's. */
  readonly channels?: readonly string[];
  /** The bot by which the person speaks; absent: none. */
  readonly via?: string;
  /** Where the person said it, such as `telegram:7`; absent: by a token of their own. */
  readonly place?: string;
}

const MS_A_DAY = 86_400_000;

const NAME_WORDS = 'A name has 1 to 63 letters, digits, dots, hyphens and @, a letter or digit first';

/** The name of a person's token: logs, history and the audit show it. */
const tokenName = z
  .string()
  .max(63, NAME_WORDS)
  .regex(/^[a-z0-9][a-z0-9._@-]{0,62}$/i, NAME_WORDS);

/** The role of a person or a token. */
export const personRole = z.enum(['viewer', 'responder', 'operator', 'admin'], {
  error: 'The role is none; there are: viewer, responder, operator, admin',
});

/** The name of a person: chats, logs, history and the audit show it. */
export const personName = tokenName;

/** How long a token is good when nobody says otherwise, in days: who leaves a team is out by then. */
const TOKEN_DAYS = 90;

const tokenSpan = z
  .number()
  .int()
  .min(60_000, 'The token would be over within a minute: give it longer')
  .max(
    3_650 * MS_A_DAY,
    'The token would be good for more than ten years: give null ("never") for one that does not end',
  );

/** A new token. Without a project it reaches all of them. `expiresInMs`: null, it is good until it is revoked. */
export const createTokenInput = z.object({
  name: tokenName,
  role: personRole,
  /** Makes it a bot's: it speaks for the people of these channels alone, and allows them at most its role. */
  channels: z.array(channelName).min(1).max(10).optional(),
  project: z.string().min(1).max(NAME_MAX).optional(),
  expiresInMs: tokenSpan.nullable().default(TOKEN_DAYS * MS_A_DAY),
});

/** Takes a token back. `own`: also the one that asks; `force`: also the last one of an admin. */
export const revokeTokenInput = z.object({ name: z.string().min(1).max(100), own: z.boolean(), force: z.boolean() });

/** Gives a token another end, counted from now; null: it is good until it is revoked. Who needs other rights makes another token. */
export const editTokenInput = z.object({
  name: z.string().min(1).max(100),
  expiresInMs: tokenSpan.nullable(),
});

/** A token as it is listed; its secret is not stored. Times are epoch milliseconds. */
export const tokenView = z.object({
  id: uuid,
  name: z.string(),
  role: z.enum(['worker', 'viewer', 'responder', 'operator', 'admin']),
  /** Null: it reaches all projects. */
  project: z.string().nullable(),
  /** The worker whose token it is; null: a person's. */
  worker: z.string().nullable(),
  /** The channels that it serves, if it is a bot's. */
  channels: z.array(z.string()).nullable(),
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
  /** Refused with `last-admin` where the last token of an admin that does not end would. */
  editToken(input: z.infer<typeof editTokenInput>, by: Actor): Promise<Outcome<TokenView>>;
  /** Refused with `own-token` and `last-admin`, so that people do not lock themselves out by mistake. */
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

/** Heads that were kept elsewhere must still be in their chains. */
export const auditVerifyInput = z.object({ kept: z.array(head).max(20_000) });

/** One change. `details` hold names, kinds and sums, never the text of a prompt. */
export const auditView = z.object({
  chain: z.string(),
  seq: z.number().int(),
  at: epochMs,
  /** As in `eventView`. */
  actor: z.string(),
  action: z.string(),
  about: z.string(),
  details: z.record(z.string(), z.unknown()),
  hash: z.string(),
});

/** A checked `auditView`. */
export type AuditView = z.infer<typeof auditView>;

/** Whether all is whole; else the first row that is wrong, and how. */
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
  /** To be kept elsewhere: with them a rewritten audit is found too. */
  heads: z.array(head),
});

/** A checked `auditVerdict`. */
export type AuditVerdict = z.infer<typeof auditVerdict>;

/** The place of a row in the list, which is sorted by time, chain and number. */
export type AuditListPlace = Pick<AuditView, 'at' | 'chain' | 'seq'>;

/** The use cases of the audit: a part of `Fleet`. */
export interface AuditFleet {
  /** `after`: only what comes after this row in the list. */
  listAudit(
    input: z.infer<typeof auditListInput> & { readonly after?: AuditListPlace | undefined },
    by: Actor,
  ): Promise<readonly AuditView[]>;
  verifyAudit(input: z.infer<typeof auditVerifyInput>, by: Actor): Promise<AuditVerdict>;
}
