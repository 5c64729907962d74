/** Calls the coordinator from commands: typed calls, and errors with advice. */
import { messageOf } from '@drover/base';
import { refuseUnsafePath } from '@drover/config/surroundings';
import type { Environment } from '@drover/config/surroundings';
import { CallError, createClient } from './calls.ts';
import type { Address, Client, Pause } from './calls.ts';
import { refuseClearText } from './clear-text.ts';
import { CommandError } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { readEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { connectProven, ListenerError, needsProof } from './listener-adapter.ts';
import type { Expected } from './listener-adapter.ts';
import { pinCoordinator, pinnedCoordinator, storedToken } from './logins.ts';
import { isSuspended } from '../processes/processes.ts';
import type { Surroundings } from '../surroundings.ts';
import { accessOf } from '../worker-pane.ts';

/** Timeout for an answer, in milliseconds: longer than the coordinator waits for a machine. */
const ANSWER_TIMEOUT_MS = 40_000;

/** Calls the coordinator. @throws {CommandError} with the coordinator's message, or that it does not answer. */
export async function ask<T>(surroundings: Surroundings, call: (client: Client) => Promise<T>): Promise<T> {
  const [first, ...others] = await placesOf(surroundings);
  return askAt(surroundings, { ...first, others }, call);
}

/** Asks one coordinator with one token, before either is kept. @throws {CommandError} as `ask` does. */
export async function askAt<T>(
  { http, terminal, sleep }: Surroundings,
  place: Place & { readonly others?: readonly Place[] },
  call: (client: Client) => Promise<T>,
): Promise<T> {
  const announce = async (ms: number, why: Pause): Promise<void> => {
    const known = why === 'busy' ? 'The coordinator is busy' : 'A proxy reports that no coordinator is available';
    terminal.err(`${known}; retrying in ${Math.ceil(ms / 1_000)} s`);
    await sleep(ms);
  };
  try {
    return await call(createClient({ ...place, http, timeoutMs: ANSWER_TIMEOUT_MS, pause: announce }));
  } catch (error) {
    throw toCommandError(error, [place, ...(place.others ?? [])].map(({ url }) => url).join(', '));
  }
}

/** Returns the first coordinator that answers, and the token for it. @throws {CommandError} if there is none. */
export async function placeOf(surroundings: Surroundings): Promise<Place> {
  const [first, ...others] = await placesOf(surroundings);
  const last = others.pop() ?? first;
  for (const place of last === first ? [] : [first, ...others]) {
    const answers = await askAt(surroundings, place, (client) => client.info.query()).then(
      () => true,
      (error: unknown) => !(error instanceof CommandError && error.code === 'unreachable'),
    );
    if (answers) return place;
  }
  return last;
}

/** Finds the configured coordinators, in the sequence in which they are asked. @throws {CommandError} if there is none. */
async function placesOf({
  worker,
  environment,
  paths,
  rootProblem,
}: Surroundings): Promise<readonly [Place, ...Place[]]> {
  if (worker !== null) {
    const { url, token, coordinator } = accessOf(worker);
    const expected = needsProof(url) ? { coordinator, isDirect: false, advice: PANE_ADVICE } : undefined;
    return [{ url, token, expected }];
  }
  if (paths !== null) await refuseUnsafePath(paths.dataDir, environment);
  const endpoint = paths === null ? null : await readEndpoint(paths.dataDir);
  const url = environment.url ?? endpoint?.url;
  if (url === undefined) {
    const message =
      paths === null
        ? `${rootProblem} To talk to a coordinator elsewhere, set DROVER_URL and DROVER_TOKEN.`
        : `Drover is not up for ${paths.root}: run "drover up" in another terminal, or set DROVER_URL and DROVER_TOKEN to use a coordinator elsewhere`;
    throw new CommandError('unreachable', message);
  }
  if (environment.url === undefined && endpoint !== null && isSuspended(endpoint.pid))
    throw new CommandError(
      'unreachable',
      `"drover up" is suspended (process ${endpoint.pid}): type "fg" in its terminal, or run "kill -CONT ${endpoint.pid}"`,
    );
  refuseClearText(url, { isForced: environment.insecure, force: 'set DROVER_INSECURE=1' });
  const urls = url.split(',').map((one) => one.trim().replace(/(?<!\/)\/+$/, ''));
  // The token of a local fleet is sent to that fleet only, and a stored token to the coordinator that it was stored for.
  const places = await Promise.all(
    urls.map(async (one) => ({
      url: one,
      token:
        environment.token ?? (environment.url === undefined ? endpoint?.token : await storedToken(environment, one)),
    })),
  );
  const [first, ...others] = places.flatMap(({ url: at, token }) => (token === undefined ? [] : [{ url: at, token }]));
  if (first === undefined)
    throw new CommandError(
      'unauthorized',
      `No token for ${url}: run "drover auth login ${urls[0] ?? url}" with a token from its admin, or set DROVER_TOKEN`,
    );
  if (!/^[\x21-\x7e]+$/.test(first.token))
    throw new CommandError(
      'unauthorized',
      'The token in DROVER_TOKEN contains spaces or line breaks: copy the whole token again',
    );
  // The listener at an address of this computer must identify itself; an address that does not answer is left out if another does.
  const known = await Promise.allSettled(
    [first, ...others].map(async (place) => ({
      ...place,
      expected:
        environment.url === undefined && endpoint !== null
          ? expectedBy(endpoint)
          : await expectedAt(environment, place.url),
    })),
  );
  const [one, ...more] = known.flatMap((place) => (place.status === 'fulfilled' ? [place.value] : []));
  if (one !== undefined) return [one, ...more];
  throw known[0]?.status === 'rejected'
    ? known[0].reason
    : new CommandError('unreachable', `Nothing answers at ${url}`);
}

const PANE_ADVICE = 'repeat when the machine agent of this worker is connected';

/** Names the coordinator that must listen where the endpoint file of this root says. */
export function expectedBy({ coordinator }: Endpoint): Expected {
  const advice = 'start "drover up" again, with another --port if need be';
  return { coordinator, isDirect: true, advice };
}

/** A coordinator, the token for it, and the identity that its listener must prove before the token is sent. */
export type Place = Address;

/**
 * Names the coordinator that must listen at an address that a person gave: on this computer the one that answered there
 * first, because a host name proves nothing there.
 *
 * @throws {CommandError} if none answers at a new address.
 */
export async function expectedAt(environment: Environment, url: string): Promise<Expected | undefined> {
  if (!needsProof(url)) return undefined;
  const known = await pinnedCoordinator(environment, url);
  const advice = `if somebody set up a new fleet there, "drover auth logout ${url}" forgets the previous one`;
  if (known !== undefined) return { coordinator: known, isDirect: false, advice };
  const { coordinator } = await askWhoListens(url);
  await pinCoordinator(environment, url, coordinator);
  return { coordinator, isDirect: false, advice };
}

async function askWhoListens(url: string): Promise<{ readonly coordinator: string }> {
  try {
    using proven = await connectProven(url, { expected: null, timeoutMs: ANSWER_TIMEOUT_MS });
    return { coordinator: proven.coordinator };
  } catch (error) {
    throw unreachable(url, error);
  }
}

/** Makes an error of the refusal of one item in a batch. */
export function refusalOf({ code, message }: { readonly code: string; readonly message: string }): CommandError {
  return new CommandError(STATUS[code] ?? 'refused', message);
}

/** Exit status by the coordinator's reason; any other reason is a conflict with the present state. */
const STATUS: Readonly<Record<string, ExitCode>> = {
  'not-found': 'not-found',
  invalid: 'usage',
  'bad-request': 'usage',
  'too-many-requests': 'unreachable',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'internal-server-error': 'internal',
};

function toCommandError(error: unknown, url: string): unknown {
  if (!(error instanceof CallError)) return error;
  const { reason, message, cause } = error;
  if (cause instanceof ListenerError) return unreachable(url, cause);
  if (message.startsWith('Unknown procedure'))
    return new CommandError(
      'refused',
      `The coordinator at ${url} has another version: restart it with this version of drover`,
    );
  if (reason === null) return unreachable(url, error);
  return new CommandError(STATUS[reason] ?? 'refused', message, { cause: error });
}

/** Returns the coordinator's reason for a refusal; null for any other failure. */
export function reasonOf(error: unknown): string | null {
  return error instanceof CommandError && error.cause instanceof CallError ? error.cause.reason : null;
}

function unreachable(url: string, error: unknown): CommandError {
  const message = messageOf(error);
  if (error instanceof ListenerError) return new CommandError('unreachable', message, { cause: error });
  const who = url.includes(', ')
    ? `None of the coordinators at ${url} answers`
    : `The coordinator at ${url} does not answer`;
  const advice = `${who} (${message}): is "drover up" or "drover server coordinator" running there?`;
  return new CommandError('unreachable', advice, { cause: error });
}
