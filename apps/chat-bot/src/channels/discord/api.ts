/** Discord's REST API as calls: https://discord.com/developers/docs/reference. */
import { againAfterMs } from '../../ports.ts';
import type { HttpRequest, Nature } from '../../ports.ts';

/** The bot's account, and the address of Discord. */
export interface DiscordOptions {
  /** Token of the application's bot. Secret. */
  readonly token: string;
  /** Address that replaces Discord's own, for tests. */
  readonly apiUrl?: string;
}

/** A call that Discord refused (`code` is its number, else the status), or that got no answer (`code` 0). The error names no token. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError';
  readonly status: number;
  readonly code: number;
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    known: { readonly status: number; readonly code: number; readonly retryAfterMs: number | null },
  ) {
    super(message);
    this.status = known.status;
    this.code = known.code;
    this.retryAfterMs = known.retryAfterMs;
  }
}

/** Calls a route. */
export type Call = (
  method: HttpRequest['method'],
  route: string,
  how?: { readonly body?: object; readonly signal?: AbortSignal },
) => Promise<Readonly<Record<string, unknown>>>;

const TIMEOUT_MS = 15_000;

/** @returns calls that throw {@link DiscordError}. */
export function discordCall(
  { http }: Pick<Nature, 'http'>,
  { token, apiUrl = 'https://discord.com/api/v10' }: DiscordOptions,
): Call {
  return async (method, route, { body, signal } = {}) => {
    // The route of a callback holds the token of an interaction.
    const name = route.replace(/\/interactions\/.*/u, '/interactions/…');
    const answer = await http(`${apiUrl}${route}`, {
      method,
      headers: {
        authorization: `Bot ${token}`,
        'user-agent': 'DiscordBot (drover, 1)',
        'content-type': 'application/json',
      },
      timeoutMs: TIMEOUT_MS,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      throw new DiscordError(`${method} ${name} got no answer: ${String(error)}`, {
        status: 0,
        code: 0,
        retryAfterMs: null,
      });
    });
    const read = recordOf(answer.text);
    if (answer.status >= 200 && answer.status < 300) return read;
    const seconds = Number(read['retry_after'] ?? answer.headers.get('retry-after') ?? Number.NaN);
    throw new DiscordError(`${method} ${name}: ${answer.status} ${String(read['message'] ?? '')}`, {
      status: answer.status,
      code: typeof read['code'] === 'number' ? read['code'] : answer.status,
      retryAfterMs: answer.status === 429 ? againAfterMs(seconds) : null,
    });
  };
}

function recordOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
