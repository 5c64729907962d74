// Follows the workers' histories over the API while the demo goes on.
import { eventView, type EventView } from '@drover/api';
import { z } from 'zod';
import type { Endpoint } from '../fleet/fleet.ts';
import { until } from '../fleet/wait.ts';

const answer = z.object({ result: z.object({ data: z.array(eventView) }) });

/** Milliseconds that one question waits for news. */
const WAIT_MS = 2_000;

/** Milliseconds to wait for something that must happen: many times what it takes on an idle machine. */
const PATIENCE_MS = 90_000;

/** Follows the histories of all workers. Disposing it stops. */
export class Happenings implements AsyncDisposable {
  readonly #events: EventView[] = [];
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;

  /** @param endpoints Of replicas, tried in turn: each knows everything. */
  constructor(endpoints: readonly Endpoint[], tell: (event: EventView) => void) {
    this.#following = this.#follow(endpoints, tell);
  }

  /** Everything so far, oldest first. */
  get all(): readonly EventView[] {
    return this.#events;
  }

  /** The first event at or after `since` that fits, when it has happened. */
  async first(what: string, fits: (event: EventView) => boolean, since = 0): Promise<EventView> {
    const ask = (): EventView | undefined => this.#events.find((event) => event.at >= since && fits(event));
    return until(what, ask, PATIENCE_MS);
  }

  /** Waits until a rule of the policy fires for a worker. */
  async rule(worker: string, rule: string, since = 0): Promise<EventView> {
    const fits = (event: EventView): boolean => event.worker === worker && event.rules.includes(rule);
    return this.first(`"${rule}" in the history of ${worker}`, fits, since);
  }

  /** Waits until a worker comes into a state. */
  async state(worker: string, status: EventView['to'], since = 0): Promise<EventView> {
    const fits = (event: EventView): boolean => event.worker === worker && event.to === status && event.from !== status;
    return this.first(`${worker} to be ${status}`, fits, since);
  }

  async #follow(endpoints: readonly Endpoint[], tell: (event: EventView) => void): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted;) {
      const endpoint = endpoints[turn % endpoints.length];
      if (endpoint === undefined) return;
      try {
        for (const event of await this.#ask(endpoint)) {
          this.#events.push(event);
          tell(event);
        }
      } catch {
        turn += 1; // this replica is gone or has lost its database for a moment
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async #ask({ url, token }: Endpoint): Promise<readonly EventView[]> {
    const input = { after: this.#events.at(-1)?.id ?? 0, waitMs: WAIT_MS, limit: 200 };
    const response = await fetch(`${url}/trpc/events?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(WAIT_MS * 3)]),
    });
    return answer.parse(await response.json()).result.data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }
}
