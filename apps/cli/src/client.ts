/** How does a command talk to the coordinator? Typed calls, and errors in the CLI's own words. */
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '@drover/api';
import { CommandError } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { readEndpoint } from './endpoint.ts';
import type { Surroundings } from './surroundings.ts';

export type Client = TRPCClient<AppRouter>;

/** Longest wait for an answer, in milliseconds: longer than the coordinator waits for a machine. */
const ANSWER_TIMEOUT_MS = 40_000;

/** Calls the coordinator. @throws {CommandError} with the words of the coordinator, or that it does not answer. */
export async function ask<T>(surroundings: Surroundings, call: (client: Client) => Promise<T>): Promise<T> {
  const { url, token } = await whereTo(surroundings);
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        headers: { authorization: `Bearer ${token}` },
        fetch: (input, init) =>
          fetch(input, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) } as RequestInit),
      }),
    ],
  });
  try {
    return await call(client);
  } catch (error) {
    throw inWords(error, url);
  }
}

async function whereTo({ environment, paths }: Surroundings): Promise<{ url: string; token: string }> {
  const endpoint = paths === null ? null : await readEndpoint(paths.dataDir);
  const url = environment.url ?? endpoint?.url;
  const token = environment.token ?? endpoint?.token;
  if (url === undefined) {
    const where = paths === null ? 'This directory belongs to no Drover root' : `Nothing runs for ${paths.root}`;
    throw new CommandError(
      'unreachable',
      `${where}: start it with "drover up", or name a coordinator by DROVER_URL and DROVER_TOKEN`,
    );
  }
  if (token === undefined) throw new CommandError('unauthorized', `No token for ${url}: set DROVER_TOKEN`);
  return { url: url.split(',')[0] ?? url, token };
}

const STATUS: Readonly<Record<string, ExitCode>> = {
  'not-found': 'not-found',
  invalid: 'usage',
  'bad-request': 'usage',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'internal-server-error': 'internal',
};

function inWords(error: unknown, url: string): CommandError {
  if (!(error instanceof TRPCClientError)) return new CommandError('internal', String(error), { cause: error });
  const data: unknown = error.data;
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : null;
  if (reason === null) {
    const why =
      error.cause instanceof Error
        ? error.cause.cause instanceof Error
          ? error.cause.cause.message
          : error.cause.message
        : error.message;
    return new CommandError(
      'unreachable',
      `The coordinator at ${url} does not answer (${why}): is "drover up" running?`,
      { cause: error },
    );
  }
  return new CommandError(STATUS[reason] ?? 'refused', error.message, { cause: error });
}
