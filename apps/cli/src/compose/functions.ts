/**
 * The coordinator as functions, which a runtime calls for each request (infra/functions). Reads drover.toml of the
 * working directory, or `DROVER_ROOT`, and the environment, like `drover server coordinator`.
 */
import { messageOf } from '@drover/base';
import type { Requests } from '@drover/coordinator';
import { composeRequests } from './coordinator.ts';
import { openRedaction } from './redaction.ts';
import { readSettings } from './settings.ts';
import { readSurroundings } from '../surroundings.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Opens a coordinator that answers requests and has no timers. A coordinator may serve any number of requests, one
 * after the other or at once.
 *
 * @throws {CommandError | ConfigError} with advice: no root, no `DATABASE_URL`, a database that does not answer.
 */
export async function openFunctions(): Promise<Requests> {
  const surroundings = await readSurroundings({ json: true, fields: null, color: 'auto', quiet: false, wide: false });
  try {
    return await open(surroundings);
  } catch (error) {
    surroundings.terminal.err(messageOf(error));
    throw error;
  }
}

async function open(surroundings: Surroundings): Promise<Requests> {
  await using stack = new AsyncDisposableStack();
  const settings = await readSettings(surroundings, {});
  const { log, redactor } = stack.use(
    await openRedaction(surroundings, settings, { level: settings.config.coordinator.log_level }),
  );
  const requests = stack.use(await composeRequests(surroundings, settings, { log, redactor }));
  const opened = stack.move();
  return { fetch: (request) => requests.fetch(request), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

let opened: Promise<Requests> | undefined;

/**
 * Serves a request, for runtimes that only want a function: the first request opens the coordinator, which is kept for
 * later requests to the same process. The next request retries a failed opening.
 */
export async function serve(request: Request): Promise<Response> {
  opened ??= openFunctions();
  try {
    return await (await opened).fetch(request);
  } catch {
    opened = undefined;
    const message = 'The coordinator could not start: its log says why. Retry if the database was not reachable';
    return Response.json({ code: 'unavailable', message }, { status: 503, headers: { 'retry-after': '5' } });
  }
}
