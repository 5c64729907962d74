/** How does a command talk to the coordinator? Typed calls, and errors in the CLI's own words. */
import { CallError, createClient } from './calls.ts';
import type { Client } from './calls.ts';
import { CommandError } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { readEndpoint } from './endpoint.ts';
import type { Surroundings } from './surroundings.ts';

/** Longest wait for an answer, in milliseconds: longer than the coordinator waits for a machine. */
const ANSWER_TIMEOUT_MS = 40_000;

/** Calls the coordinator. @throws {CommandError} with the words of the coordinator, or that it does not answer. */
export async function ask<T>(surroundings: Surroundings, call: (client: Client) => Promise<T>): Promise<T> {
  const { url, token } = await whereTo(surroundings);
  const client = createClient({ url, token, http: surroundings.http, timeoutMs: ANSWER_TIMEOUT_MS });
  try {
    return await call(client);
  } catch (error) {
    throw inWords(error, url);
  }
}

async function whereTo({ environment, paths, rootProblem }: Surroundings): Promise<{ url: string; token: string }> {
  const endpoint = paths === null ? null : await readEndpoint(paths.dataDir);
  const url = environment.url ?? endpoint?.url;
  if (url === undefined) {
    const message =
      paths === null
        ? `${rootProblem} To talk to a coordinator elsewhere, set DROVER_URL and DROVER_TOKEN.`
        : `Drover is not up for ${paths.root}: run "drover up" in another terminal, or set DROVER_URL and DROVER_TOKEN to use a coordinator elsewhere`;
    throw new CommandError('unreachable', message);
  }
  // The token of a local fleet is shown to that fleet only.
  const token = environment.token ?? (environment.url === undefined ? endpoint?.token : undefined);
  if (token === undefined)
    throw new CommandError('unauthorized', `No token for ${url}: set DROVER_TOKEN to one that its operator gave you`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CommandError(
      'unauthorized',
      'The token in DROVER_TOKEN holds spaces or line breaks: copy it again, whole',
    );
  return { url: (url.split(',')[0] ?? url).trim().replace(/\/+$/, ''), token };
}

/** What a reason of the coordinator means for the exit status; any other is a conflict with the present state. */
const STATUS: Readonly<Record<string, ExitCode>> = {
  'not-found': 'not-found',
  invalid: 'usage',
  'bad-request': 'usage',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'internal-server-error': 'internal',
};

function inWords(error: unknown, url: string): unknown {
  if (!(error instanceof CallError)) return error;
  const { reason, message, cause } = error;
  if (message.startsWith('No procedure found'))
    return new CommandError('refused', `The coordinator at ${url} is of another version: restart it with this drover`);
  if (reason !== null) return new CommandError(STATUS[reason] ?? 'refused', message);
  const words = `The coordinator at ${url} does not answer (${message}): is "drover up" running there?`;
  return new CommandError('unreachable', words, { cause });
}
