/** Telegram's Bot API as calls: https://core.telegram.org/bots/api. */
import { z } from 'zod';
import { againAfterMs } from '../../ports.ts';
import type { Nature } from '../../ports.ts';

/** The address of Telegram, and the bot's account. */
export interface TelegramOptions {
  /** Token from @BotFather. Secret. */
  readonly token: string;
  /** Address that replaces Telegram's own, for tests and local Bot API servers. */
  readonly apiUrl?: string;
}

const DEFAULT_URL = 'https://api.telegram.org';

const answerSchema = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error_code: z.number().default(0),
    description: z.string().default('no reason given'),
    parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
  }),
]);

/** A call that Telegram refused, or that got no answer (`code` 0). The message names no token. */
export class TelegramError extends Error {
  override readonly name = 'TelegramError';
  readonly code: number;
  readonly retryAfterMs: number | null;
  /** The new number of the group, which is a supergroup by now; null: the group is none. */
  readonly movedTo: string | null;

  constructor(
    message: string,
    { code, retryAfterMs, movedTo = null }: { code: number; retryAfterMs: number | null; movedTo?: string | null },
  ) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.movedTo = movedTo;
  }
}

/** Calls a method. `waitMs`: time that Telegram may take beyond the usual. */
export type Call = (
  method: string,
  parameters: Readonly<Record<string, unknown>>,
  how?: { readonly waitMs?: number; readonly signal?: AbortSignal },
) => Promise<unknown>;

const TIMEOUT_MS = 15_000;

/** @returns calls that throw {@link TelegramError}. */
export function telegramCall({ http }: Pick<Nature, 'http'>, { token, apiUrl = DEFAULT_URL }: TelegramOptions): Call {
  return async (method, parameters, { waitMs = 0, signal } = {}) => {
    const answer = await http(`${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      timeoutMs: TIMEOUT_MS + waitMs,
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      // The address of the call holds the token.
      throw new TelegramError(`${method} got no answer: ${String(error).replaceAll(token, '…')}`, NO_ANSWER);
    });
    const read = answerSchema.safeParse(jsonOf(answer.text));
    if (!read.success)
      throw new TelegramError(`${method} was answered with ${answer.status} and no JSON`, {
        ...NO_ANSWER,
        code: answer.status,
      });
    if (read.data.ok) return read.data.result;
    const { error_code: code, description, parameters: more } = read.data;
    throw new TelegramError(`${method}: ${code} ${description}`, {
      code,
      retryAfterMs: againAfterMs(more?.retry_after),
      movedTo: more?.migrate_to_chat_id === undefined ? null : String(more.migrate_to_chat_id),
    });
  };
}

const NO_ANSWER = { code: 0, retryAfterMs: null };

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const user = z.object({ id: z.number() });
const chat = z.object({ id: z.number(), type: z.string() });

/** Fields of the bot itself. */
export const meSchema = z.object({ username: z.string() });

/** Fields of a message that a bot reads. */
export const messageSchema = z.object({
  message_id: z.number(),
  from: user.optional(),
  chat,
  text: z.string().optional(),
  migrate_to_chat_id: z.number().optional(),
  migrate_from_chat_id: z.number().optional(),
  reply_to_message: z.object({ text: z.string().optional(), from: user.optional() }).optional(),
});

export type TelegramMessage = z.infer<typeof messageSchema>;

/** A press of a button. */
export const callbackSchema = z.object({
  id: z.string(),
  from: user,
  data: z.string().optional(),
  message: z.object({ message_id: z.number(), chat }).optional(),
});

export type TelegramCallback = z.infer<typeof callbackSchema>;

/** Updates: each has a number, and Telegram keeps it until a later one is asked for. */
export const updatesSchema = z.array(
  z.object({ update_id: z.number(), message: z.unknown().optional(), callback_query: z.unknown().optional() }),
);
