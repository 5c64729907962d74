/** Calls a person while `drover up` runs: prints who needs one, rings, and shows a notice. As JSON it prints each event. */
import type { EventView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { showNotice } from '../../terminal/notice.ts';
import { callLine, callOf, callsFor, noticeOf } from './calls.ts';
import type { Call, Calls } from './calls.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Milliseconds that one request waits for an event. */
const WAIT_MS = 10_000;
/** Milliseconds until the request that follows a failed one: the database may be starting again. */
const AFTER_FAILURE_MS = 1_000;

/** Prints until the signal fires. Never rejects. */
export async function narrate(
  surroundings: Surroundings,
  { calls, signal }: { readonly calls: Calls; readonly signal: AbortSignal },
): Promise<void> {
  const { terminal } = surroundings;
  let after: number | null = null;
  while (!signal.aborted) {
    const events = await waitForEvents(surroundings, after, signal);
    // Earlier events are printed by "drover logs".
    for (const event of after === null ? [] : (events ?? [])) {
      const call = callOf(event);
      if (terminal.json) terminal.out(JSON.stringify(event));
      else if (call !== null) terminal.out(callLine(event, call, terminal));
      if (terminal.interactive && call !== null) callPerson(surroundings, event, { call, calls });
    }
    if (events !== null) after = events.at(-1)?.id ?? after ?? 0;
  }
}

/** @returns null after a failure, or if the signal fires first. */
async function waitForEvents(
  surroundings: Surroundings,
  after: number | null,
  signal: AbortSignal,
): Promise<readonly EventView[] | null> {
  const input = after === null ? { waitMs: 0, limit: 1 } : { after, waitMs: WAIT_MS, limit: 100 };
  const asked = ask(surroundings, (client) => client.events.query(input)).catch(async () => {
    await surroundings.sleep(AFTER_FAILURE_MS, signal);
    return null;
  });
  const { promise: stopped, resolve } = Promise.withResolvers<null>();
  const stop = (): void => resolve(null);
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([asked, stopped]);
  } finally {
    // The signal lives as long as "drover up": what listens to it would keep the events of each wait.
    signal.removeEventListener('abort', stop);
  }
}

/** Rings the bell and shows the notice, as this event demands. */
function callPerson(
  { terminal, environment }: Surroundings,
  event: EventView,
  { call, calls }: { readonly call: Call; readonly calls: Calls },
): void {
  const { rings, shows } = callsFor(call, calls);
  if (rings) terminal.bell();
  if (shows) void showNotice(noticeOf(event, call), environment);
}
