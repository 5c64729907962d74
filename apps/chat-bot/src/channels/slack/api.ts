/** Slack's Web API as calls: https://docs.slack.dev/reference/methods. */
import { z } from 'zod';
import { againAfterMs } from '../../ports.ts';
import type { Nature } from '../../ports.ts';

/** The bot's account, and the address of Slack. */
export interface SlackOptions {
  /** `xapp-…`, with the scope `connections:write`. Secret. */
  readonly appToken: string;
  /** `xoxb-…`, with the scopes `chat:write`, `commands` and `im:write`. Secret. */
  readonly botToken: string;
  /** Address that replaces Slack's own, for tests. */
  readonly apiUrl?: string;
}

/** A call that Slack refused (`code` is its word), or that got no answer (`no-answer`). The message names no token. */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  readonly code: string;
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    { code, retryAfterMs }: { readonly code: string; readonly retryAfterMs: number | null },
  ) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Calls a method. */
export type Call = (
  method: string,
  body: object,
  how?: { readonly asApp?: boolean; readonly signal?: AbortSignal },
) => Promise<Answer>;

const answer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

/** The answer of Slack. */
export type Answer = z.infer<typeof answer>;

const TIMEOUT_MS = 15_000;

/** @returns calls that throw {@link SlackError}. */
export function slackCall(
  { http }: Pick<Nature, 'http'>,
  { appToken, botToken, apiUrl = 'https://slack.com/api' }: SlackOptions,
): Call {
  return async (method, body, { asApp = false, signal } = {}) => {
    const reply = await http(`${apiUrl}/${method}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${asApp ? appToken : botToken}`,
        'content-type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      throw new SlackError(`${method} got no answer: ${String(error)}`, { code: 'no-answer', retryAfterMs: null });
    });
    if (reply.status === 429) {
      const seconds = Number(reply.headers.get('retry-after') ?? 1);
      throw new SlackError(`${method}: too many requests`, {
        code: 'ratelimited',
        retryAfterMs: againAfterMs(seconds) ?? 1_000,
      });
    }
    const read = answer.safeParse(jsonOf(reply.text));
    if (!read.success)
      throw new SlackError(`${method} was answered with ${reply.status}`, { code: 'no-answer', retryAfterMs: null });
    if (read.data.ok) return read.data;
    const { error = 'unknown' } = read.data;
    throw new SlackError(`${method}: ${error}`, { code: error, retryAfterMs: null });
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
