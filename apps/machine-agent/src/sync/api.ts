/** Calls one coordinator over HTTP. */
import type { LocalClock } from '@drover/base';
import { connectionFailureText } from '@drover/protocol/connection-failure';
import {
  agentError,
  challengeAnswer,
  gatewayAnswer,
  helloAnswer,
  joinAnswer,
  syncAnswer,
  workerTokenAnswer,
  type ChallengeAnswer,
  type ChallengeRequest,
  type GatewayAnswer,
  type GatewayRequest,
  type HelloAnswer,
  type HelloRequest,
  type JoinAnswer,
  type JoinRequest,
  type SyncAnswer,
  type SyncRequest,
  type WorkerTokenAnswer,
  type WorkerTokenRequest,
} from '@drover/protocol';
import type { z } from 'zod';
import { follow } from '../time.ts';
import { SyncError } from './errors.ts';
import { RETRY_AFTER_MAX_MS } from './http-adapter.ts';
import type { Post } from './http-adapter.ts';

/** Milliseconds for a call that the coordinator answers at once. */
const CALL_MS = 10_000;

interface Call<T> {
  readonly body: unknown;
  readonly answer: z.ZodType<T>;
  readonly token?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export class CoordinatorApi {
  readonly url: string;
  readonly #post: Post;
  readonly #clock: LocalClock;
  readonly #signal: AbortSignal;

  constructor(url: string, { post, clock, signal }: { post: Post; clock: LocalClock; signal: AbortSignal }) {
    this.url = url.replace(/(?<!\/)\/+$/u, '');
    this.#post = post;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** @throws SyncError `join-refused`, or as every call. */
  join(body: JoinRequest): Promise<JoinAnswer> {
    return this.#ask('/agent/join', { body, answer: joinAnswer });
  }

  /** @throws SyncError `version-refused`, `other-url`, or as every call. */
  challenge(body: ChallengeRequest): Promise<ChallengeAnswer> {
    return this.#ask('/agent/challenge', { body, answer: challengeAnswer });
  }

  /** @throws SyncError `unknown-machine`, `machine-revoked`, `version-refused`, or as every call. */
  hello(body: HelloRequest): Promise<HelloAnswer> {
    return this.#ask('/agent/hello', { body, answer: helloAnswer });
  }

  /** Requests a token for one worker of this machine; its previous token is no longer valid. */
  workerToken(body: WorkerTokenRequest, token: string): Promise<WorkerTokenAnswer> {
    return this.#ask('/agent/worker-token', { body, answer: workerTokenAnswer, token });
  }

  /** Reports the states of a gateway's machines; the coordinator may wait `waitSeconds` for news. @throws SyncError `no-gateway`. */
  gateway(
    body: GatewayRequest,
    { token, waitSeconds, signal }: { token: string; waitSeconds: number; signal?: AbortSignal },
  ): Promise<GatewayAnswer> {
    const timeoutMs = waitSeconds * 1_000 + CALL_MS;
    return this.#ask(`/agent/gateway?wait=${waitSeconds}`, { body, answer: gatewayAnswer, token, timeoutMs, signal });
  }

  /** Runs one exchange; the coordinator may wait `waitSeconds` for something to say. Ends early with `signal`. */
  sync(
    body: SyncRequest,
    { token, waitSeconds, signal }: { token: string; waitSeconds: number; signal?: AbortSignal },
  ): Promise<SyncAnswer> {
    const timeoutMs = waitSeconds * 1_000 + CALL_MS;
    return this.#ask(`/agent/sync?wait=${waitSeconds}`, { body, answer: syncAnswer, token, timeoutMs, signal });
  }

  async #ask<T>(path: string, { body, answer, token, timeoutMs = CALL_MS, signal }: Call<T>): Promise<T> {
    const over = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => over.abort(new Error(`no answer in ${timeoutMs} ms`)));
    const unfollow = follow(over, this.#signal, ...(signal === undefined ? [] : [signal]));
    try {
      const { status, text, retryAfterMs } = await this.#post(`${this.url}${path}`, {
        body,
        token,
        signal: over.signal,
      });
      if (status < 200 || status > 299) throw refusal(`${this.url}${path}`, status, { text, retryAfterMs });
      return this.#read(path, { text, answer });
    } catch (cause) {
      if (cause instanceof SyncError) throw cause;
      const why = connectionFailureText(cause);
      throw new SyncError('unreachable', `Cannot reach the coordinator at "${this.url}": ${why}`, { cause });
    } finally {
      cancel();
      unfollow();
    }
  }

  #read<T>(path: string, { text, answer }: { text: string; answer: z.ZodType<T> }): T {
    const parsed = answer.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const message = `"${this.url}${path}" did not answer as a coordinator of this version does: check the address, or update the coordinator`;
    throw new SyncError('bad-answer', message, { cause: parsed.error });
  }
}

/** Explains an error status. The coordinator's own words go to the log. */
export function refusal(
  where: string,
  status: number,
  { text, retryAfterMs }: { readonly text: string; readonly retryAfterMs: number | undefined },
): SyncError {
  const said = agentError.safeParse(parseJson(text));
  const code = said.success ? said.data.code : '';
  const words = said.success ? said.data.message : `status ${status}`;
  const message = `"${where}" refused: ${words}`;
  if (code === 'come-back' && said.data?.retryAfterMs !== undefined) {
    const turnMs = Math.min(RETRY_AFTER_MAX_MS, said.data.retryAfterMs);
    return new SyncError('turn-later', message, { retryAfterMs: turnMs });
  }
  if (status === 429) return new SyncError('busy', message, { retryAfterMs });
  if (code === 'unknown-machine' || code === 'forgotten') return new SyncError('unknown-machine', message);
  if (isOwnCode(code)) return new SyncError(code, message);
  if (/version/u.test(code) || status === 426) return new SyncError('version-refused', message);
  if (where.endsWith('/join') && status < 500) return new SyncError('join-refused', message);
  if (status === 401 || status === 403) return new SyncError('unauthorized', message);
  return new SyncError(status >= 500 ? 'unavailable' : 'bad-answer', message);
}

/** Recognizes codes that the coordinator and the agent share. */
function isOwnCode(code: string): code is (typeof OWN_CODES)[number] {
  return (OWN_CODES as readonly string[]).includes(code);
}

const OWN_CODES = ['machine-revoked', 'other-coordinator', 'other-url', 'no-gateway'] as const;

/** @returns undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
