/** Runs one channel, which asks for cards to show while it listens to people. Only the process that has the channel's work listens. */
import type { Delivery, DeliveryReport } from '@drover/protocol/channels';
import { ChannelError } from './channel.ts';
import type { Channel, Shown } from './channel.ts';
import { CallError } from './coordinator/client.ts';
import type { Coordinator } from './coordinator/client.ts';
import { createDesk } from './coordinator/desk.ts';
import { messageOf, pause } from '@drover/base';
import { backoffMs } from './ports.ts';
import type { Nature } from './ports.ts';
import { Showing } from './showing.ts';

/** Seconds that a call for work waits: shorter than the timeout of common proxies. */
const WAIT_SECS = 20;

/** Parts that one channel runs with. */
export interface ChannelRun {
  readonly channel: Channel;
  readonly coordinator: Coordinator;
  readonly holder: string;
}

/** Runs until the signal aborts, or until only a person can repair the channel: then logs that, and other channels continue. Never throws. */
export async function runChannel(nature: Nature, run: ChannelRun, signal: AbortSignal): Promise<void> {
  const { channel, coordinator } = run;
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const listener = new Listener(nature, run, {
    signal: both,
    broken: (error) => {
      nature.log('error', `${channel.name} is off: ${error.message}. Other channels continue.`);
      stop.abort();
    },
  });
  const showing = new Showing(
    nature,
    {
      show: (delivery) => channel.show(delivery, both),
      report: (delivery, shown) => report(nature, run, { delivery, shown, signal: both }),
    },
    both,
  );
  try {
    await askForWork(nature, run, { listener, showing, signal: both });
  } finally {
    stop.abort();
    await showing.end();
    await listener.end();
    await coordinator.release().catch(() => {});
  }
}

async function askForWork(
  nature: Nature,
  run: ChannelRun,
  {
    listener,
    showing,
    signal,
  }: { readonly listener: Listener; readonly showing: Showing; readonly signal: AbortSignal },
): Promise<void> {
  const { channel, coordinator } = run;
  // The first call does not wait: the process that has the work of the channel listens at once.
  let waitSecs = 0;
  for (let failures = 0; !signal.aborted;) {
    try {
      const answer = await coordinator.work(waitSecs, signal);
      waitSecs = WAIT_SECS;
      if (failures > 0) nature.log('info', `${channel.name}: the coordinator answers again`);
      failures = 0;
      if (answer.kind === 'stand-by') {
        showing.drop();
        listener.stop();
        continue;
      }
      listener.start();
      showing.add(answer.deliveries);
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) nature.log('warn', `${channel.name}: ${messageOf(error)}`);
      failures += 1;
      waitSecs = 0;
      // The chat service keeps actions of people meanwhile; a coordinator that does not know this bot gives it no work either.
      if (error instanceof CallError && error.failure === 'not-allowed') listener.stop();
      await pause(nature.clock, backoffMs(failures, nature.random), signal);
    }
  }
}

async function report(
  nature: Nature,
  { channel, coordinator, holder }: ChannelRun,
  { delivery, shown, signal }: { readonly delivery: Delivery; readonly shown: Shown; readonly signal: AbortSignal },
): Promise<void> {
  if (signal.aborted && shown.kind === 'failed') return;
  if (shown.kind === 'moved') {
    // The coordinator sends the pending cards again, for the new address. If the coordinator is away, the next try gets the same answer.
    await coordinator.move({ from: delivery.address, to: shown.to }).catch((error: unknown) => {
      nature.log(
        'warn',
        `${channel.name}: a chat has moved, but the bot could not tell the coordinator: ${String(error)}`,
      );
    });
    return;
  }
  await coordinator.report(delivery.card.escalation, reportOf(shown, { delivery, holder })).catch((error: unknown) => {
    // The coordinator sends the card again when its lease expires; a press on a second card repairs that.
    nature.log(
      'warn',
      `${channel.name}: a card is shown, but the bot could not tell the coordinator: ${String(error)}`,
    );
  });
}

function reportOf(
  shown: Exclude<Shown, { kind: 'moved' }>,
  { delivery, holder }: { delivery: Delivery; holder: string },
): DeliveryReport {
  const { address, card, pings } = delivery;
  return shown.kind === 'shown'
    ? { kind: 'shown', holder, address, version: card.version, ref: shown.ref, pings }
    : {
        kind: 'failed',
        holder,
        address,
        error: shown.error.slice(0, 1_000),
        retryAfterMs: shown.retryAfterMs,
        isFinal: shown.isFinal,
      };
}

/** Listens to people while this process has the channel's work. */
class Listener {
  readonly #nature: Nature;
  readonly #run: ChannelRun;
  readonly #signal: AbortSignal;
  readonly #broken: (error: ChannelError) => void;
  #isWanted = false;
  #running: { readonly stop: AbortController; readonly over: Promise<void> } | null = null;

  /** @param ends `broken` is called when only a person can repair the channel. */
  constructor(
    nature: Nature,
    run: ChannelRun,
    ends: { readonly signal: AbortSignal; readonly broken: (error: ChannelError) => void },
  ) {
    this.#nature = nature;
    this.#run = run;
    this.#signal = ends.signal;
    this.#broken = ends.broken;
  }

  start(): void {
    this.#isWanted = true;
    if (this.#running !== null || this.#signal.aborted) return;
    const stop = new AbortController();
    const over = this.#listen(AbortSignal.any([this.#signal, stop.signal]));
    this.#running = { stop, over };
  }

  /** Stops listening. A `start` afterwards begins when this listener has ended. */
  stop(): void {
    this.#isWanted = false;
    const running = this.#running;
    if (running === null || running.stop.signal.aborted) return;
    running.stop.abort();
    const forget = async (): Promise<void> => {
      await running.over;
      this.#running = null;
      if (this.#isWanted) this.start();
    };
    void forget();
  }

  async end(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.over;
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { channel, coordinator } = this.#run;
    const desk = createDesk(this.#nature, coordinator, signal);
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await channel.listen(desk, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ChannelError) {
          this.#broken(error);
          return;
        }
        this.#nature.log('warn', `${channel.name}: ${messageOf(error)}`);
      }
      await pause(this.#nature.clock, backoffMs(failures, this.#nature.random), signal);
    }
  }
}
