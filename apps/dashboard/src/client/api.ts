/** Calls the coordinator, as the person whose cookie the browser sends. */
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '@drover/api';
import { within } from './browser-adapter.ts';

/** Milliseconds after which an answer is not waited for any more: a network that changed may swallow it without a word. */
const ANSWER_MS = 60_000;

export const api = apiAt('/trpc', ANSWER_MS);

export function apiAt(url: string, answerMs: number) {
  const link = httpLink({
    url,
    fetch: (input, { signal, ...init } = {}) => {
      const signals = [within(answerMs), ...(signal ? [signal as AbortSignal] : [])];
      return fetch(input, { ...(init as RequestInit), signal: AbortSignal.any(signals) });
    },
  });
  return createTRPCClient<AppRouter>({ links: [link] });
}

/** A refusal or failure, for people. `code` is null if no coordinator answered. */
export interface Failure {
  readonly code: string | null;
  readonly message: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return { code: null, message: NO_ANSWER };
  const data: unknown = error.data;
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : null;
  return typeof reason === 'string' ? { code: reason, message: error.message } : { code: null, message: NO_ANSWER };
}

/** Tells whether the browser is not signed in, or not any more. */
export function isSignedOut(error: unknown): boolean {
  return failureOf(error).code === 'unauthorized';
}

const NO_ANSWER =
  'The coordinator does not answer, so this may or may not have arrived. Try again: nothing is done twice.';
